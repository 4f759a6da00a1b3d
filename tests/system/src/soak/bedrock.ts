import path from "node:path";
import { SessionChecker, type CheckedResult } from "@palisade/testing/bedrock/checked-sessions";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { createHome, removeHome, startPart } from "../product/palisade.ts";
import { writeLastGood } from "../verification/edge-program.ts";

/**
 * `npm run soak -- bedrock [sessions] [at once] [seed]`: sessions of Bedrock through an edge, whose
 * datagrams get lost, double and overtake each other before and behind it, and each of which is compared
 * with what was sent. There are three hot restarts of the edge while they run, which may lose none.
 */
const sessions = Number(process.argv[2] ?? 5_000);
const atOnce = Number(process.argv[3] ?? 100);
const seed = Number(process.argv[4] ?? Date.now() % 1_000_000);
if (!(Number.isInteger(sessions) && sessions > 0 && Number.isInteger(atOnce) && atOnce > 0)) {
  console.error("usage: npm run soak -- bedrock [sessions] [at once] [seed]");
  process.exit(2);
}
const messages = 8;
const restartsAt = [0.2, 0.5, 0.8];
const reportEvery = 500;
/** Those that are on their way when a session ends are not looked for. */
const passedMin = 0.98;

const home = await createHome();
const checker = await SessionChecker.start(seed);
const port = await freePort();
const backend = { ...sampleBackend(1), bedrock_port: checker.backend.port };
const shield = sampleShield({
  groups: [sampleGroup(backend)],
  bedrock: { ports: [port], only_in: [] },
});
await writeLastGood(path.join(home, "edge/config"), [shield]);
const settings = { PALISADE_API_URL: "http://127.0.0.1:9", PALISADE_EDGE_WORKERS: "2" };
const edge = await startPart("edge", home, settings);
const beganAtMs = performance.now();
let restarts = 0;
let running = Promise.resolve();

async function restart(): Promise<void> {
  console.log("hot restart");
  edge.process.kill("SIGUSR2");
  await edge.isBack(++restarts);
  await until(async () => (await edge.pids()).length === 1);
}

const due = new Set(restartsAt.map((part) => Math.floor(part * sessions)));
try {
  console.log(`${sessions} sessions, ${atOnce} at once, seed ${seed}`);
  const proxy = { host: "127.0.0.1", port };
  const result = await checker.run(proxy, {
    sessions,
    atOnce,
    messages,
    onProgress(ended) {
      if (due.has(ended)) running = running.then(restart);
      if (ended % reportEvery === 0) console.log(`${ended} sessions`);
    },
  });
  await running;
  const faults = faultsOf(result);
  console.log(summary(result));
  for (const fault of faults) console.log(`BROKEN ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await edge.stop();
  await checker.close();
  await removeHome(home);
}

function faultsOf({ faults, up, down }: CheckedResult): string[] {
  const ways = [
    ["up", up],
    ["down", down],
  ] as const;
  const lost = ways.filter(([, { given, taken }]) => taken < passedMin * given);
  return [...faults, ...lost.map(([name]) => `datagrams on their way ${name} were lost`)];
}

function summary({ whole, up, down }: CheckedResult): string {
  const seconds = Math.round((performance.now() - beganAtMs) / 1_000);
  return [
    `${whole} of ${sessions} sessions whole in ${seconds} s, through ${restarts} hot restarts`,
    `to the backend: ${up.given} datagrams given to the edge, ${up.taken} of them passed on`,
    `to clients: ${down.given} datagrams given to the edge, ${down.taken} of them passed on`,
  ].join("\n");
}
