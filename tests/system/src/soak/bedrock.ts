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
 * with what was sent. There are three hot restarts of the edge while they run, which may lose none. Twice the
 * edge is killed: sessions that were open then go on, and only those that were about to open may fail.
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
const killsAt = [0.35, 0.65];
const reportEvery = 500;
const unopened = /no answer to open connection requests|closed while connecting/;
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
let starts = 0;
let running = Promise.resolve();

async function restart(): Promise<void> {
  console.log("hot restart");
  edge.process.kill("SIGUSR2");
  restarts += 1;
  await edge.isBack(++starts);
  await until(async () => (await edge.pids()).length === 1);
}

async function kill(): Promise<void> {
  console.log("kill -9");
  await edge.killProgram();
  await edge.isBack(++starts);
}

const due = new Map([
  ...restartsAt.map((part) => [Math.floor(part * sessions), restart] as const),
  ...killsAt.map((part) => [Math.floor(part * sessions), kill] as const),
]);
try {
  console.log(`${sessions} sessions, ${atOnce} at once, seed ${seed}`);
  const proxy = { host: "127.0.0.1", port };
  const result = await checker.run(proxy, {
    sessions,
    atOnce,
    messages,
    onProgress(ended) {
      const act = due.get(ended);
      if (act !== undefined) running = running.then(() => act());
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
  // A cookie of the edge that was killed opens nothing any more.
  const opening = faults.filter((fault) => unopened.test(fault));
  const lost = ways.filter(([, { given, taken }]) => taken < passedMin * given);
  return [
    ...(opening.length > killsAt.length * atOnce ? opening : []),
    ...faults.filter((fault) => !opening.includes(fault)),
    ...lost.map(([name]) => `datagrams on their way ${name} were lost`),
  ];
}

function summary({ whole, up, down }: CheckedResult): string {
  const seconds = Math.round((performance.now() - beganAtMs) / 1_000);
  return [
    `${whole} of ${sessions} sessions whole in ${seconds} s, through ${restarts} hot restarts and ${killsAt.length} kills`,
    `to the backend: ${up.given} datagrams given to the edge, ${up.taken} of them passed on`,
    `to clients: ${down.given} datagrams given to the edge, ${down.taken} of them passed on`,
  ].join("\n");
}
