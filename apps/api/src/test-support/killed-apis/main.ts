import { runKilledApis } from "./killed-apis.ts";

/** The program of `npm run soak -- money`. */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const [seeds, firstSeed] = process.argv.slice(2).map(Number);
if (seeds === undefined || firstSeed === undefined || !(seeds > 0 && Number.isInteger(firstSeed))) {
  say("usage: main.ts <seeds> <first seed>");
  process.exit(2);
}
const begunMs = performance.now();
const { killsAt, broken } = await runKilledApis({ seeds, firstSeed, say });
const missing = [...killsAt].filter(([, times]) => times === 0);
say(
  [
    ...[...killsAt].map(([step, times]) => `${String(times).padStart(5)} killed at ${step}`),
    `${seeds} seeds from ${firstSeed}, ${Math.round((performance.now() - begunMs) / 1_000)} s, guarantees broken: ${broken.length}`,
    ...broken.map((line) => `BROKEN ${line}`),
    ...missing.map(([step]) => `MISSING ${step} was never reached`),
  ].join("\n"),
);
process.exit(broken.length + missing.length === 0 ? 0 : 1);
