import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import { rssBytesOfTree } from "@palisade/testing/process-stats";
import { setTimeout as delay } from "node:timers/promises";
import { type EdgeOptions, type EdgeProgram, startEdge } from "#src/edge/edge-program.ts";
import { checkedLogins, checkingShields } from "#src/edge/sample-shields.ts";
import { type CheckedClients, openChecked, type Reach } from "#src/programs/checked-clients.ts";
import type { Row } from "#src/report/row.ts";

/** As many as an edge checks at once. */
const waitingCount = 8_192;
/** The first ones compile code, and let the young generation grow to its final size. */
const firstCount = 2_000;
/** Time in which memory used only for joining can be freed; a client must answer within ten seconds. */
const settleMs = 3_000;
/** The second byte of the addresses: each client has a network of its own. */
const networks = { first: 200, waiting: 100 } as const;

const reaches: Readonly<Record<Reach, string>> = {
  asked: "waiting before its first answer",
  standing: "standing in the limbo",
};

/** Growth of the edge's resident memory by each client in a check. */
export async function memoryRow(
  level: AntibotLevel,
  reach: Reach,
  against: string | undefined,
): Promise<Row> {
  const bytes = await perClient(level, reach);
  const before =
    against === undefined ? undefined : await perClient(level, reach, { from: against });
  return {
    benchmark: "challenge",
    measure: `${level}: connection ${reaches[reach]}`,
    unit: "KB",
    value: bytes / 1_024,
    ...(before === undefined ? {} : { others: { before: before / 1_024 } }),
    aim: { of: "value", is: "at most", limit: 2 },
    note: `of ${waitingCount} at once; socket, login and check together, without the kernel`,
  };
}

async function perClient(
  level: AntibotLevel,
  reach: Reach,
  options: EdgeOptions = {},
): Promise<number> {
  const edge = await startEdge(checkingShields(level), options);
  try {
    const first = await open(edge, level, reach, "first");
    first.stop();
    await delay(settleMs);
    const before = rssBytesOfTree(edge.pid);
    const waiting = await open(edge, level, reach, "waiting");
    await delay(settleMs);
    const grown = rssBytesOfTree(edge.pid) - before;
    const { lost } = waiting;
    waiting.stop();
    if (lost > 0) throw new Error(`${lost} clients did not stay in the check`);
    return grown / waitingCount;
  } finally {
    await edge.stop();
  }
}

async function open(
  { port }: EdgeProgram,
  level: AntibotLevel,
  reach: Reach,
  who: keyof typeof networks,
): Promise<CheckedClients> {
  const [from, count] = who === "first" ? [0, firstCount] : [firstCount, waitingCount];
  return openChecked(port, checkedLogins(level, from, count), reach, networks[who]);
}
