import { runMoney } from "../money/money-race.ts";

/** `npm run soak -- money [seeds] [first seed]`: racing purchases, credits and top-ups, with kill -9. */

const seeds = Number(process.argv[2] ?? 200);
const firstSeed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
if (!(Number.isInteger(seeds) && seeds > 0 && Number.isInteger(firstSeed))) {
  console.error("usage: npm run soak -- money [seeds] [first seed]");
  process.exit(2);
}
console.log(`${seeds} seeds, the first is ${firstSeed}`);
const result = await runMoney({ seeds, firstSeed, say: console.log });
const killsAt = [...result.killsAt].map(([step, times]) => `${step} ${times}`).join(", ");
console.log(
  [
    `${result.bought} bought, ${result.refused} refused, ${result.credits} credits, ${result.topUps} top-ups`,
    `${result.kills} times an api was killed; the second at ${killsAt}`,
    `guarantees broken: ${result.broken.length}`,
    ...result.broken.map((line) => `BROKEN ${line}`),
  ].join("\n"),
);
process.exit(result.broken.length === 0 ? 0 : 1);
