import type { ProbeRequest } from "@palisade/contract/edge/probe";
import type { StreamRecord } from "@palisade/contract/edge/stream";
import { z } from "zod";
import { createConfigClient, type ConfigClient } from "../config-client.ts";
import { parseRecord } from "../config-consumer.ts";
import { createLogRecorder, type LogRecorder } from "./recorder.ts";

/** A small configuration in place of a shield's: the same strictness, readable in a test. */
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
  /** What is in service: shield to `revision mode`. */
  readonly served: Map<string, string>;
  /** Records taken into service, in order. */
  readonly applied: string[];
  /** A fault of the node's own for records of this shield. */
  readonly failFor: Set<string>;
  readonly probes: ProbeRequest[];
}

/** A node as edge and zone DNS build it, against any control plane, with quick timings. */
export function createTestNode(
  apiUrl: string,
  credential: string,
  folder: string,
  timing: {
    silenceMsMax?: number;
    refusedRetryMs?: number;
    lineBytesMax?: number;
    /** Of the sink: where what was applied takes a while to serve everywhere. */
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
