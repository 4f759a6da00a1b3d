import { parseArgs } from "node:util";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { until } from "@palisade/testing/until";
import { z } from "zod";
import { insideWord, startInsideServer } from "../bots/inside-server.ts";
import { runMineflayer } from "../bots/mineflayer-bots.ts";
import { runProgram } from "../bots/program.ts";
import { type BotResult, faultsOf, listed, rowOf } from "../bots/results.ts";
import { type BotLevel, botLevels, hostnameOf, rejoinText, shieldsOf } from "../bots/shields.ts";
import { startPeerHost } from "../minecraft/peer-host.ts";
import { startEdgeProgram } from "../verification/edge-program.ts";

/**
 * `npm run soak -- bots [--count 10000] [--at-once 800] [--per-second 250] [--cap-seconds 60]
 * [--levels low,medium,high,extreme] [--kinds silent,game] [--mineflayer 50]
 * [--mineflayer-at-once 25] [--physics off,on]`
 *
 * Bots of every kind join a shield of each level, by an old and a newer version. It fails if one without
 * physics gets in at High, or one that does not solve the captcha at Extreme.
 */

const allKinds = [
  "silent",
  "scripted",
  "keep-alive",
  "gravity",
  "game",
  "replayer",
  "eager",
  "staller",
  "solver",
] as const;
const versions = ["1.8.9", "1.20.4"] as const;
/** mineflayer has the data of this one instead. */
const mineflayerVersions = ["1.8.8", "1.20.4"] as const;
/** Bots of mineflayer, without and with the physics of the game. */
const bothPhysics = ["off", "on"] as const;
/** Logins that make an attack. */
const attackers = 60;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    "at-once": { type: "string", default: "800" },
    "per-second": { type: "string", default: "250" },
    "cap-seconds": { type: "string", default: "60" },
    levels: { type: "string", default: botLevels.join(",") },
    kinds: { type: "string", default: allKinds.join(",") },
    mineflayer: { type: "string", default: "50" },
    "mineflayer-at-once": { type: "string", default: "25" },
    physics: { type: "string", default: bothPhysics.join(",") },
  },
});
const count = Number(values.count);
const atOnce = Number(values["at-once"]);
const perSecond = Number(values["per-second"]);
const capMs = 1_000 * Number(values["cap-seconds"]);
const mineflayer = Number(values.mineflayer);
const mineflayerAtOnce = Number(values["mineflayer-at-once"]);
const levels = botLevels.filter((level) => values.levels.split(",").includes(level));
const kinds = allKinds.filter((kind) => values.kinds.split(",").includes(kind));
const physics = bothPhysics.filter((each) => values.physics.split(",").includes(each));
const numbers = [count, atOnce, perSecond, capMs, mineflayerAtOnce];
const areNumbers = numbers.every((n) => Number.isInteger(n) && n > 0) && mineflayer >= 0;
const lists = [levels, kinds, physics];
if (!areNumbers || lists.some((list) => list.length === 0)) {
  console.error(`levels: ${botLevels.join(",")}; kinds: ${allKinds.join(",")}; physics: off,on`);
  process.exit(2);
}

const told = z.object({
  kind: z.string(),
  tried: z.int(),
  inside: z.int(),
  protocols: z.record(z.string(), z.int()),
  ends: z.record(z.string(), z.int()),
});
const protocols = versions.map(
  (version) => knownReleases.find((release) => release.version === version)?.protocol ?? 0,
);
const server = await startInsideServer();
const shields = shieldsOf(levels, server.port);
const edge = await startEdgeProgram({ shields, sessionServerUrl: "http://127.0.0.1:9" });
await edge.serversUp(levels.length);
const peers = mineflayer > 0 ? await startPeerHost() : undefined;
const results: BotResult[] = [];
let from = 0;
try {
  for (const level of levels) {
    const beganAtMs = performance.now();
    if (level === "medium") await attack();
    const [ofKinds, ofMineflayer] = await Promise.all([runKinds(level), runReal(level)]);
    results.push(...ofKinds, ...ofMineflayer);
    const seconds = Math.round((performance.now() - beganAtMs) / 1_000);
    console.log(`${level}: ${seconds} s`);
  }
} finally {
  await Promise.all([edge.stop(), peers?.end()]);
  server.close();
}
console.table(results.map(rowOf));
const faults = faultsOf(results);
for (const fault of faults) console.log(`BROKEN ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

function orderOf(level: BotLevel): object {
  const target = { ...edge.address, hostname: hostnameOf(level) };
  const words = { inside: insideWord, rejoin: rejoinText };
  return { target, ...words, protocols, atOnce, perSecond, capMs, from };
}

/** Until the shield of level Medium is attacked, which it stays. */
async function attack(): Promise<void> {
  const order = { ...orderOf("medium"), kinds: ["silent"], count: attackers, capMs: 1_000 };
  from += attackers;
  await runProgram("bots", order, () => undefined);
  const isAttacked = async (): Promise<boolean> => (await edge.metric("shields_under_attack")) > 0;
  await until(isAttacked, { what: "an attack" });
}

async function runKinds(level: BotLevel): Promise<BotResult[]> {
  const found: BotResult[] = [];
  const order = { ...orderOf(level), kinds, count };
  // The game that is recorded has numbers of its own.
  from += count * kinds.length + protocols.length;
  await runProgram("bots", order, (values) => {
    const { kind, tried, inside, protocols: by, ends } = told.parse(values);
    const details = `${listed(ends)}; in by protocol: ${listed(by) || "none"}`;
    found.push({ level, kind, tried, inside, details });
  });
  return found;
}

async function runReal(level: BotLevel): Promise<BotResult[]> {
  if (peers === undefined) return [];
  const crowd = {
    edge: edge.address,
    hostname: hostnameOf(level),
    versions: mineflayerVersions,
    atOnce: mineflayerAtOnce,
  };
  const found: BotResult[] = [];
  for (const each of physics) {
    const isOn = each === "on";
    const first = (levels.indexOf(level) * 2 + (isOn ? 1 : 0)) * mineflayer;
    const order = { ...crowd, count: mineflayer, physics: isOn, from: first };
    const { inside, ends } = await runMineflayer(peers, order);
    const kind = isOn ? "mineflayer" : "mineflayer without physics";
    found.push({ level, kind, tried: mineflayer, inside, details: listed(ends) });
  }
  return found;
}
