import { startEdge } from "#src/edge/edge-program.ts";
import { checkingShields, refusalPacket } from "#src/edge/sample-shields.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { runExchanges } from "#src/programs/exchange-load.ts";
import { startResponder } from "#src/programs/responder.ts";
import { statusAnswer } from "#src/edge/status-backend.ts";
import type { Row } from "#src/report/row.ts";
import { amplificationRows } from "./challenge-bytes.ts";
import { failing, failures, level } from "./challenge-clients.ts";
import { memoryRow } from "./challenge-memory.ts";
import { playersRows } from "./challenge-players.ts";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import { exchanges } from "./answers.ts";
import { cpuEach, everyName } from "./flood.ts";
import { compare, interleaved } from "./interleaved-rounds.ts";

const ours = "palisade";

/** The cost of players who are checked, for the edge and for those who play. */
export const challenge: Benchmark = {
  name: "challenge",
  missing: compilerMissing,
  async run(options) {
    return [
      ...(await memoryRows(options)),
      ...(await cpuRows(options)),
      ...(await playersRows(options)),
      ...(await amplificationRows(options)),
    ];
  },
};

async function memoryRows({ say, against }: BenchmarkOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of ["high", "extreme"] as const) {
    for (const reach of ["asked", "standing"] as const) {
      say(`challenge: clients that wait in the check of ${each}, ${reach}`);
      rows.push(await memoryRow(each, reach, against));
    }
  }
  return rows;
}

async function cpuRows({ rounds, seconds, say, against }: BenchmarkOptions): Promise<Row[]> {
  say("challenge: floods of clients that fail at the first step");
  const edges = [{ name: ours, edge: await startEdge(checkingShields(level)) }];
  const responder = await startResponder({ statusAnswer, kick: refusalPacket("00000000") });
  if (against !== undefined) {
    edges.push({
      name: "before",
      edge: await startEdge(checkingShields(level), { from: against }),
    });
  }
  try {
    const rows: Row[] = [];
    for (const version of ["1.21", "1.8"] as const) {
      for (const failure of failures) {
        const exchange = failing(version, failure);
        const servers = [
          ...edges.map((each) => ({ ...each, exchange })),
          { name: "C (kick)", edge: responder, exchange: exchanges.kick },
        ];
        const values = await interleaved(servers, rounds, (server) =>
          cpuEach(server.edge, async () => {
            const { port } = server.edge;
            return (await runExchanges(port, server.exchange, seconds, everyName)).done;
          }),
        );
        rows.push({
          benchmark: "challenge",
          measure: `client of ${version} that ${failure} at the first step: CPU each`,
          unit: "µs",
          ...compare(Object.fromEntries(values), ours, "C (kick)", "efficiency"),
          aim: { of: "value", is: "at most", limit: 60 },
          note: "from connecting to the end",
        });
      }
    }
    return rows;
  } finally {
    for (const { edge } of edges) await edge.stop();
    await responder.stop();
  }
}
