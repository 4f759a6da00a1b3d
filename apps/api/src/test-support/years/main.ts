import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { expectedKinds, runYears } from "./years.ts";

/**
 * The program of `npm run soak -- years`. The subscriptions are divided among worlds that know
 * nothing of each other: each has a process, a database and a seed of its own.
 */

interface WorldResult {
  readonly counts: readonly (readonly [string, number])[];
  readonly broken: readonly string[];
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    subscriptions: { type: "string", default: "2000" },
    months: { type: "string", default: "36" },
    processes: { type: "string", default: "4" },
    haste: { type: "string" },
  },
});
const [seed = -1, subscriptions = -1, months = -1, processes = -1] = [
  values.seed,
  values.subscriptions,
  values.months,
  values.processes,
].map(Number);
if (![seed, subscriptions, months].every(isCount) || !isCount(processes) || processes === 0) {
  say("usage: npm run soak -- years [--seed n] [--subscriptions n] [--months n] [--processes n]");
  process.exit(2);
}
const haste = Number(values.haste ?? Math.max(1, Math.round(400 / subscriptions)));

if (process.send === undefined) process.exit(await runWorlds());
else await runOneWorld(process.send.bind(process));

function isCount(number: number): boolean {
  return Number.isInteger(number) && number >= 0;
}

async function runWorlds(): Promise<number> {
  say(`seed ${seed}: ${subscriptions} subscriptions, ${months} months, in ${processes} processes`);
  const begunMs = performance.now();
  const seconds = (): number => Math.round((performance.now() - begunMs) / 1_000);
  const share = Math.floor(subscriptions / processes);
  const worlds = Array.from({ length: processes }, (_, index) => ({
    seed: seed + index,
    subscriptions: index === 0 ? subscriptions - share * (processes - 1) : share,
  }));
  const results = await Promise.all(
    worlds.map((world) =>
      runWorld(world, (line) => say(`${seconds()} s, seed ${world.seed}, ${line}`)),
    ),
  );
  const counts = new Map<string, number>();
  for (const [kind, times] of results.flatMap((result) => result.counts))
    counts.set(kind, (counts.get(kind) ?? 0) + times);
  const broken = results.flatMap((result) => result.broken);
  const missing = expectedKinds.filter((kind) => (counts.get(kind) ?? 0) === 0);
  const lines = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
  say(
    [
      ...lines.map(([kind, times]) => `${String(times).padStart(7)} ${kind}`),
      `seed ${seed}, ${seconds()} s, guarantees broken: ${broken.length}`,
      ...broken.map((line) => `BROKEN ${line}`),
      ...missing.map((kind) => `MISSING ${kind} never happened`),
    ].join("\n"),
  );
  return broken.length + missing.length === 0 ? 0 : 1;
}

/** A world that ends without a result has broken something. */
async function runWorld(
  world: { readonly seed: number; readonly subscriptions: number },
  tell: (line: string) => void,
): Promise<WorldResult> {
  const args = Object.entries({ ...world, months, haste }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  const child = fork(fileURLToPath(import.meta.url), args);
  let result: WorldResult | undefined;
  child.on("message", (message: string | WorldResult) => {
    if (typeof message === "string") tell(message);
    else result = message;
  });
  await once(child, "exit");
  return result ?? { counts: [], broken: [`the world of seed ${world.seed} ended early`] };
}

async function runOneWorld(send: (message: string | WorldResult) => void): Promise<void> {
  const { counts, broken } = await runYears({ seed, subscriptions, months, haste, say: send });
  send({ counts: [...counts], broken: broken.map((line) => `seed ${seed}: ${line}`) });
  process.disconnect();
}
