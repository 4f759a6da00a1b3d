import { runRestarts, type RestartsResult, type Victim } from "../restarts/rounds.ts";

/** `npm run soak -- restarts [rounds] [seed]`: kill -9 of random parts under load. */

const rounds = Number(process.argv[2] ?? 30);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 32));
if (!(Number.isInteger(rounds) && rounds > 0 && Number.isInteger(seed))) {
  console.error("usage: npm run soak -- restarts [rounds] [seed]");
  process.exit(2);
}
console.log(`${rounds} rounds, seed ${seed}`);
const result = await runRestarts({ rounds, seed, say: console.log });
console.log(summary(result));
process.exit(result.broken.length === 0 ? 0 : 1);

function summary(run: RestartsResult): string {
  const names = [...new Set(run.recoveries.map(({ victim }) => victim))].sort();
  return [
    ...names.map((name) => recoveryLine(name, run)),
    `writes: ${run.acknowledged} acknowledged, ${run.unanswered} unanswered`,
    `players: ${run.pings} pings and ${run.joins} joins answered, ${run.failedPlayers} failed`,
    `edge and database equal for ${run.compared} shields; the audit chain is intact`,
    `lost or wrong writes and failed players: ${run.broken.length}`,
    ...run.broken.map((line) => `BROKEN ${line}`),
  ].join("\n");
}

function recoveryLine(name: Victim, run: RestartsResult): string {
  const times = run.recoveries
    .filter(({ victim }) => victim === name)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  const median = times[Math.floor((times.length - 1) / 2)];
  return `${name}: killed ${times.length} times, back after ${median} ms (median), ${times.at(-1)} ms (longest)`;
}
