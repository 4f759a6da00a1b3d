import { seededRandom } from "@palisade/testing/seeded-random";
import { checkLife } from "./life-checks.ts";
import { createKilledWorld } from "./killed-world.ts";
import { liveOnce } from "./one-life.ts";

/** Every step at which a process may die while money moves. */
export const steps = [
  "intent-stored",
  "checkout-created",
  "reference-stored",
  "event-stored",
  "credit-posted",
  "purchase-paid",
  "purchase-placed",
  "shield-commit",
  "upgrade-charged",
  "support-charged",
  "charge-prepared",
  "charge-confirmed",
  "automatic-top-up-charged",
  "refund-ordered",
  "reversal-posted",
  "renewal-begun",
  "renewal-card-charged",
  "renewal-charged",
  "support-renewal-begun",
  "support-renewal-card-charged",
  "document-numbered",
] as const;

export interface KilledApisResult {
  /** How often an api died at each step. */
  readonly killsAt: ReadonlyMap<string, number>;
  /** One line for each guarantee that was broken. */
  readonly broken: readonly string[];
}

/** Lives of owners over two api processes; the one that died is replaced by one that dies elsewhere. */
export async function runKilledApis(options: {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly steps?: readonly string[];
  readonly say: (line: string) => void;
}): Promise<KilledApisResult> {
  const { seeds, firstSeed, say } = options;
  const wanted = options.steps ?? steps;
  const killsAt = new Map(wanted.map((step) => [step, 0]));
  const broken: string[] = [];
  const world = await createKilledWorld();
  try {
    let step = nextStep(killsAt, seededRandom(firstSeed));
    world.second = await world.startSecond(step);
    for (let seed = firstSeed; seed < firstSeed + seeds && broken.length < 20; seed += 1) {
      const begunMs = performance.now();
      const found = await liveOnce(world, seed).then(
        (life) => checkLife(world, life),
        (error: unknown) => [String(error)],
      );
      broken.push(...found.map((line) => `seed ${seed}, ${step}: ${line}`));
      const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
      const died = world.second.hasDied();
      say(`seed ${seed}: ${step} ${died ? "killed" : "not reached"}, ${seconds} s`);
      for (const line of found) say(`BROKEN ${line}`);
      if (!died) continue;
      killsAt.set(step, (killsAt.get(step) ?? 0) + 1);
      if (seed + 1 === firstSeed + seeds) break;
      step = nextStep(killsAt, seededRandom(seed));
      world.second = await world.startSecond(step);
    }
    return { killsAt, broken };
  } finally {
    await world.close();
  }
}

/** One of the steps at which the fewest processes have died. */
function nextStep(killsAt: ReadonlyMap<string, number>, random: (below: number) => number): string {
  const least = Math.min(...killsAt.values());
  const rare = [...killsAt].filter(([, times]) => times === least);
  return rare[random(rare.length)]?.[0] ?? "";
}
