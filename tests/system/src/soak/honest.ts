import { parseArgs } from "node:util";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { z } from "zod";
import { insideWord, startInsideServer } from "../bots/inside-server.ts";
import { runProgram } from "../bots/program.ts";
import { hostnameOf, rejoinText, shieldsOf } from "../bots/shields.ts";
import { startEdgeProgram } from "../verification/edge-program.ts";

/**
 * `npm run soak -- honest [--joins 2000] [--at-once 400] [--per-second 50] [--seed n]`: games that play
 * honestly join at High on lines that take 10 to 800 ms each way and lose segments, a fifth of them on
 * computers that run at a fifth of the pace. At most one in a thousand may fail, and each has to pass the
 * second time, when the edge asks for a captcha too.
 */

const versions = ["1.8.9", "1.12.2", "1.16.5", "1.19.4", "1.20.4", "1.21.4", "26.1"] as const;
const failedPartMax = 0.001;

const { values } = parseArgs({
  options: {
    joins: { type: "string", default: "2000" },
    "at-once": { type: "string", default: "400" },
    "per-second": { type: "string", default: "50" },
    seed: { type: "string" },
  },
});
const joins = Number(values.joins);
const atOnce = Number(values["at-once"]);
const perSecond = Number(values["per-second"]);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (![joins, atOnce, perSecond].every((n) => Number.isInteger(n) && n > 0)) {
  console.error("usage: npm run soak -- honest [--joins n] [--at-once n] [--per-second n]");
  process.exit(2);
}

const summary = z.object({
  joins: z.int(),
  failedFirst: z.int(),
  failedTwice: z.int(),
  medianMs: z.number(),
  p99Ms: z.number(),
});
const protocols = versions.map(
  (version) => knownReleases.find((release) => release.version === version)?.protocol ?? 0,
);
console.log(`${joins} joins, seed ${seed}`);
const server = await startInsideServer();
const shields = shieldsOf(["high"], server.port);
const edge = await startEdgeProgram({ shields, sessionServerUrl: "http://127.0.0.1:9" });
await edge.serversUp(1);
let result: z.infer<typeof summary> | undefined;
try {
  const target = { ...edge.address, hostname: hostnameOf("high") };
  const words = { inside: insideWord, rejoin: rejoinText };
  const order = { target, ...words, protocols, joins, atOnce, perSecond, seed };
  await runProgram("honest", order, (told) => {
    const parsed = summary.safeParse(told);
    if (parsed.success) result = parsed.data;
    else console.log("failed the first time:", JSON.stringify(told));
  });
} finally {
  await edge.stop();
  server.close();
}
if (result === undefined) throw new Error("the program has told no result");
console.table([result]);
const faults = [
  ...(result.failedFirst > failedPartMax * joins ? ["too many fail the first time"] : []),
  ...(result.failedTwice > 0 ? ["some fail twice"] : []),
];
for (const fault of faults) console.log(`BROKEN ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
