import { z } from "zod";
import { probeRequest } from "./probe.ts";

/**
 * Lines of the configuration stream (NDJSON). `version` is global, monotonic and
 * gap-free per committed transaction. A stream opened with an unknown or old
 * `since` starts with a snapshot: one `shield` line each, then `snapshot_end`;
 * whatever the snapshot did not name is gone. Afterwards deltas follow.
 *
 * A shield's `config` is checked by itself (`shieldConfig` or, for zone DNS,
 * `zoneRecord`), so that one bad record is refused alone.
 */
const record = z.object({
  shield_id: z.uuid(),
  revision: z.int().min(1),
  config: z.unknown(),
});

export const streamLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("snapshot_start"),
    version: z.int().min(0),
    /** Which history the versions belong to: another one after a restore from backup. */
    epoch: z.string().max(64).optional(),
  }),
  z.object({ kind: z.literal("shield"), version: z.int().min(0), record }),
  z.object({ kind: z.literal("snapshot_end"), version: z.int().min(0), count: z.int().min(0) }),
  z.object({
    kind: z.literal("delta"),
    version: z.int().min(1),
    /** The version this delta builds on; an edge elsewhere reconnects. */
    since: z.int().min(0),
    shields: z.array(record),
    removed: z.array(z.uuid()),
  }),
  /** Zone DNS only: the edges, whenever they change and after every snapshot. */
  z.object({ kind: z.literal("zone"), version: z.int().min(0), zone: z.unknown() }),
  z.object({ kind: z.literal("heartbeat"), version: z.int().min(0) }),
  /** Edges only, anywhere in the stream; says nothing about the configuration. */
  z.object({ kind: z.literal("probe"), probe: probeRequest }),
  /** Edges only: the addresses of all of them, which none may dial; whenever they change. */
  z.object({ kind: z.literal("fleet"), addresses: z.array(z.string().max(64)).max(10_000) }),
]);

export type StreamLine = z.infer<typeof streamLine>;
export type StreamRecord = z.infer<typeof record>;

/** A heartbeat follows every so often; an edge that hears nothing for three of them reconnects. */
export const heartbeatMs = 5_000;

/** Longest line an edge reads. */
export const streamLineBytesMax = 4 * 1024 * 1024;
