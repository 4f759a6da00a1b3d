import { parseArgs } from "node:util";
import { namespacesMissing } from "@palisade/testing/network-namespaces";
import { playersMax, type RakNetPlan, sourcesMax } from "../raknet/plan.ts";
import { type FloodOfDatagrams, type RakNetResult, runRakNet } from "../raknet/run-raknet.ts";

/**
 * `npm run soak -- raknet [--seconds 10] [--rate 20000] [--sources 100000] [--players 20]`
 *
 * Floods of a Bedrock port from forged addresses, in network namespaces: first requests of a connection,
 * then pings. At the same time players send and wait for the echo, and newcomers join. Needs root; takes about
 * a minute and a half.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rate: { type: "string", default: "20000" },
    sources: { type: "string", default: "100000" },
    players: { type: "string", default: "20" },
  },
});

/** Bytes answered by bytes received, by the flood. */
const amplificationMax = { "first requests": 1, pings: 3, "short pings": 3 } as const;
/**
 * So much more memory the edge may have after a flood. A session takes some 3 KB, so those of 100,000
 * addresses would take 300 MB.
 */
const grownBytesMax = 16 * 1_048_576;
const joinMsMax = 5_000;
/** Sessions of newcomers who are there at the same time, and a ping that the edge sends itself. */
const othersMax = 16;

const plan: RakNetPlan = {
  seconds: Number(values.seconds),
  perSecond: Number(values.rate),
  sources: Number(values.sources),
  players: Number(values.players),
};
const areNumbers = Object.values(plan).every((n) => Number.isInteger(n) && n > 0);
if (!areNumbers || plan.players > playersMax || plan.sources > sourcesMax) {
  console.error(
    `all options are whole numbers above 0, with at most ${playersMax} players and ${sourcesMax} sources`,
  );
  process.exit(2);
}
const missing = namespacesMissing();
if (missing !== undefined) {
  console.error(`The soak cannot run: ${missing}.`);
  process.exit(2);
}
// Namespaces and the processes in them end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const result = await runRakNet(plan, console.log);
console.log(summary(result));
console.table(result.floods.map(rowOf));
const faults = result.floods.flatMap((flood) =>
  faultsOf(flood).map((fault) => `${flood.name}: ${fault}`),
);
for (const fault of faults) console.log(`BROKEN ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

function faultsOf(flood: FloodOfDatagrams): string[] {
  const { players, amplification } = flood;
  const { newcomers } = players;
  const faults: string[] = [];
  if (flood.sent < plan.sources) faults.push(`only ${flood.sent} datagrams were sent`);
  if (flood.answered === 0) faults.push("no datagram was answered, so nothing was tested");
  if (flood.unread > 0) faults.push(`${flood.unread} answers could not be counted`);
  if (!(amplification <= amplificationMax[flood.name])) {
    faults.push(`amplified ${amplification.toFixed(3)} times`);
  }
  if (flood.sessionsMax > plan.players + othersMax) {
    faults.push(`${flood.sessionsMax} sessions for ${plan.players} players`);
  }
  if (flood.sessionsAfter !== plan.players || players.sessions < plan.players) {
    faults.push(`${flood.sessionsAfter} sessions are left of ${plan.players} players`);
  }
  const grown = flood.rssAfter - flood.rssBefore;
  if (grown > grownBytesMax) faults.push(`${mib(grown)} more memory after it`);
  if (players.lost > 0) faults.push(`${players.lost} players lost their connection`);
  if (players.silent > 0) faults.push(`${players.silent} players got no echo`);
  if (newcomers.tried === 0 || newcomers.joined < newcomers.tried) {
    const some = players.failures.slice(0, 5).join("; ");
    faults.push(`${newcomers.joined} of ${newcomers.tried} newcomers joined: ${some}`);
  }
  if (newcomers.slowestMs > joinMsMax) faults.push(`a join took ${ms(newcomers.slowestMs)}`);
  return faults;
}

function summary({ quiet }: RakNetResult): string {
  const { newcomers } = quiet;
  return (
    `quiet: ${quiet.echoes} echoes, p50 ${ms(quiet.p50Ms)}, p99 ${ms(quiet.p99Ms)}; ` +
    `${newcomers.joined} of ${newcomers.tried} newcomers joined, the slowest in ${ms(newcomers.slowestMs)}`
  );
}

function rowOf(flood: FloodOfDatagrams): Record<string, string | number> {
  const { players } = flood;
  const { newcomers } = players;
  return {
    flood: flood.name,
    sent: flood.sent,
    answered: flood.answered,
    dropped: flood.dropped,
    amplification: flood.amplification.toFixed(3),
    sessions: `${flood.sessionsMax} at most, ${flood.sessionsAfter} after`,
    memory: `${mib(flood.rssBefore)} before, ${mib(flood.rssAfter)} after`,
    CPU: `${Math.round(100 * flood.cpu)} %`,
    echoes: `${players.echoes}, p50 ${ms(players.p50Ms)}, p99 ${ms(players.p99Ms)}`,
    lost: players.lost,
    newcomers: `${newcomers.joined}/${newcomers.tried}, slowest ${ms(newcomers.slowestMs)}`,
  };
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
