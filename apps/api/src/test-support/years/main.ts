import { parseArgs } from "node:util";
import { expectedKinds, runYears } from "./years.ts";

/** The program of `npm run soak -- years`. */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    subscriptions: { type: "string", default: "2000" },
    months: { type: "string", default: "36" },
  },
});
const [seed, subscriptions, months] = [values.seed, values.subscriptions, values.months].map(
  Number,
);
if (
  seed === undefined ||
  subscriptions === undefined ||
  months === undefined ||
  ![seed, subscriptions, months].every((number) => Number.isInteger(number) && number >= 0)
) {
  say("usage: npm run soak -- years [--seed n] [--subscriptions n] [--months n]");
  process.exit(2);
}
say(`seed ${seed}: ${subscriptions} subscriptions, ${months} months`);
const begunMs = performance.now();
const { counts, broken } = await runYears({
  seed,
  subscriptions,
  months,
  haste: Math.max(1, Math.round(400 / subscriptions)),
  say: (line) => say(`${Math.round((performance.now() - begunMs) / 1_000)} s ${line}`),
});
const missing = expectedKinds.filter((kind) => (counts.get(kind) ?? 0) === 0);
const lines = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
say(
  [
    ...lines.map(([kind, times]) => `${String(times).padStart(7)} ${kind}`),
    `seed ${seed}, ${Math.round((performance.now() - begunMs) / 1_000)} s, guarantees broken: ${broken.length}`,
    ...broken.map((line) => `BROKEN ${line}`),
    ...missing.map((kind) => `MISSING ${kind} never happened`),
  ].join("\n"),
);
process.exit(broken.length + missing.length === 0 ? 0 : 1);
