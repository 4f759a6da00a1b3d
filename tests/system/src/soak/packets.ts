import { type PacketsResult, runPackets } from "../packets/run-packets.ts";

/**
 * `npm run soak -- packets [streams] [at once]`: streams of every manner through an edge that is
 * restarted and killed while they run.
 */

const streams = Number(process.argv[2] ?? 15_000);
const atOnce = Number(process.argv[3] ?? 300);
if (!(Number.isInteger(streams) && streams > 0 && Number.isInteger(atOnce) && atOnce > 0)) {
  console.error("usage: npm run soak -- packets [streams] [at once]");
  process.exit(2);
}
/** A backend whose player is gone is left within 30 s; the rest is for a busy machine. */
const keptMsMax = 40_000;
const descriptorsGrowthMax = 64;
const growthMax = 1.5;

const result = await runPackets({ streams, atOnce, say: console.log });
const faults = faultsOf(result);
console.log(summary(result));
for (const fault of faults) console.log(`BROKEN ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);

function faultsOf({ results, keptMsMax: kept, before, after }: PacketsResult): string[] {
  const broken = results.get("broken") ?? 0;
  const growth = after.residentBytes / before.residentBytes;
  return [
    ...(broken > 0 ? [`${broken} streams of players who had joined did not arrive whole`] : []),
    ...(kept > keptMsMax ? ["a backend was kept after its player had left"] : []),
    ...(after.descriptors > before.descriptors + descriptorsGrowthMax ? ["descriptors grow"] : []),
    ...(growth > growthMax ? ["memory grows"] : []),
  ];
}

function summary({ results, hotRestarts, kills, keptMsMax: kept, before, after }: PacketsResult) {
  const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return [
    `streams: ${[...results].map(([name, count]) => `${count} ${name}`).join(", ")}`,
    `${hotRestarts} hot restarts, ${kills} times kill -9`,
    `a backend that goes on sending was left after ${(kept / 1_000).toFixed(1)} s at the latest`,
    `descriptors: ${before.descriptors}, then ${after.descriptors}`,
    `resident: ${mib(before.residentBytes)}, then ${mib(after.residentBytes)}`,
  ].join("\n");
}
