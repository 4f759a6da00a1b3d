import type { ProbeRequest } from "@palisade/contract/edge/probe";
import type { StreamRecord } from "@palisade/contract/edge/stream";
import { z } from "zod";
import { createConfigClient, type ConfigClient } from "../config-client.ts";
import { parseRecord } from "../config-consumer.ts";
import { createLogRecorder, type LogRecorder } from "./recorder.ts";

/** A small configuration in place of a shield's: as strict, and readable in a test. */
const testConfig = z.strictObject({
  shield_id: z.uuid(),
  revision: z.int(),
  mode: z.enum(["open", "closed"]),
  filler: z.string().optional(),
});

export function recordOf(
  n: number,
  revision: number,
  mode = "open",
  filler?: string,
): StreamRecord {
  const shield_id = shieldId(n);
  return {
    shield_id,
    revision,
    config: { shield_id, revision, mode, ...(filler === undefined ? {} : { filler }) },
  };
}

export function shieldId(n: number): string {
  return `0198f000-0000-7000-8000-${String(n).padStart(12, "0")}`;
}

export interface TestNode {
  readonly client: Omit<ConfigClient, "start"> & { start(): void };
  readonly log: LogRecorder;
  /** The configurations that serve: shield to `revision mode`. */
  readonly served: Map<string, string>;
  /** Applied records, in order. */
  readonly applied: string[];
  /** Applying records of these shields throws. */
  readonly failFor: Set<string>;
  readonly probes: ProbeRequest[];
}

/** A client as edge and zone DNS build it, for any control plane, with short delays. */
export function createTestNode(
  apiUrl: string,
  credential: string,
  folder: string,
  timing: {
    silenceMsMax?: number;
    refusedRetryMs?: number;
    lineBytesMax?: number;
    /** `served` of the consumer: an applied configuration may take a while to serve everywhere. */
    isServed?: () => Promise<void>;
  } = {},
): TestNode {
  const log = createLogRecorder();
  const served = new Map<string, string>();
  const applied: string[] = [];
  const failFor = new Set<string>();
  const probes: ProbeRequest[] = [];
  const client = createConfigClient({
    apiUrl,
    programVersion: "1.0.0",
    folder,
    log,
    onProbe: (request) => probes.push(request),
    consumer: {
      parse: (record) => parseRecord(testConfig, record),
      apply: (config) => {
        if (failFor.has(config.shield_id)) throw new Error("cannot run this");
        served.set(config.shield_id, `${config.revision} ${config.mode}`);
        applied.push(`${config.shield_id} ${config.revision}`);
      },
      remove: (id) => {
        served.delete(id);
      },
      ...(timing.isServed && { served: timing.isServed }),
    },
    timing: {
      silenceMsMax: timing.silenceMsMax ?? 2_000,
      retry: { baseMs: 5, capMs: 50 },
      stableMs: 100,
      refusedRetryMs: timing.refusedRetryMs ?? 60_000,
    },
    ...(timing.lineBytesMax === undefined ? {} : { lineBytesMax: timing.lineBytesMax }),
  });
  const own = {
    edge_id: "0198f000-0000-7000-8000-0000000000ed",
    kind: "edge",
    location: "local",
    credential,
  } as const;
  return {
    client: { ...client, start: () => client.start(own) },
    log,
    served,
    applied,
    failFor,
    probes,
  };
}
