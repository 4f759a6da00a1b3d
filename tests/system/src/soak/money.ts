import path from "node:path";
import { runMoney } from "../money/money-race.ts";
import { checkout } from "../product/checkout.ts";
import { runProgram } from "../product/run-program.ts";

/**
 * `npm run soak -- money [seeds] [first seed]`: lives of owners over two api processes, of which one
 * dies at every step of a payment, a charge, a refund and a document. After that, with a tenth of the
 * seeds, purchases and top-ups race in the whole product, with kill -9 at any moment.
 */

const seeds = Number(process.argv[2] ?? 500);
const firstSeed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
if (!(Number.isInteger(seeds) && seeds > 0 && Number.isInteger(firstSeed))) {
  console.error("usage: npm run soak -- money [seeds] [first seed]");
  process.exit(2);
}
const program = path.join(checkout, "apps/api/src/test-support/killed-apis/main.ts");
const killed = await runProgram(program, [String(seeds), String(firstSeed)]);
const productSeeds = Math.ceil(seeds / 10);
console.log(`the whole product: ${productSeeds} seeds, the first is ${firstSeed}`);
const result = await runMoney({ seeds: productSeeds, firstSeed, say: console.log });
const killsAt = [...result.killsAt].map(([step, times]) => `${step} ${times}`).join(", ");
console.log(
  [
    `${result.bought} bought, ${result.refused} refused, ${result.credits} credits, ${result.topUps} top-ups`,
    `${result.kills} times an api was killed; the second at ${killsAt}`,
    `guarantees broken: ${result.broken.length}`,
    ...result.broken.map((line) => `BROKEN ${line}`),
  ].join("\n"),
);
process.exit(killed === 0 && result.broken.length === 0 ? 0 : 1);
