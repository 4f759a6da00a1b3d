import { add, bytesInUse } from "./fuzz-counts.ts";
import { limboStepNames, runLimboStep } from "./limbo-targets.ts";
import { runLimboVisit } from "./limbo-visits.ts";
import { Random } from "./random.ts";

export interface LimboTarget {
  readonly name: string;
  /** One input. @returns what became of it. @throws if a promise is not kept */
  readonly run: (random: Random) => string;
}

/** Each step of the limbo, and the whole of a check. */
export const limboTargets: readonly LimboTarget[] = [
  ...limboStepNames.map((name) => ({
    name,
    run: (random: Random) => runLimboStep(name, random),
  })),
  { name: "visit", run: runLimboVisit },
];

const reportEveryMs = 5_000;
/** After this part of the inputs everything that is made once has been made. */
const warmUpPart = 0.2;

interface TargetOptions {
  readonly count: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Collects garbage, so that what is left is in use. */
  readonly collect: () => void;
}

interface TargetResult {
  readonly outcomes: Map<string, number>;
  /** Bytes in use after the warm-up and at the end. */
  readonly heap: { warm: number; end: number };
}

/** Each input has a seed of its own, one after the other. @throws with the seed of the input */
export async function fuzzTarget(
  { name, run }: LimboTarget,
  { count, seed, say, collect }: TargetOptions,
): Promise<TargetResult> {
  const outcomes = new Map<string, number>();
  const heap = { warm: 0, end: 0 };
  let saidMs = performance.now();
  for (let n = 0; n < count; n++) {
    if (n === Math.floor(count * warmUpPart)) heap.warm = await bytesInUse(collect);
    try {
      add(outcomes, run(new Random(seed + n)));
    } catch (error) {
      throw new Error(`${name} of seed ${seed + n}: ${String(error)}`, { cause: error });
    }
    if (performance.now() - saidMs < reportEveryMs) continue;
    saidMs = performance.now();
    say(`${name}: ${n + 1} inputs`);
  }
  heap.end = await bytesInUse(collect);
  return { outcomes, heap };
}
