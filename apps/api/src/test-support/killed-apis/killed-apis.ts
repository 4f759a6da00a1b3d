import { once } from "node:events";
import { ApiEnded } from "../api-process.ts";
import { checkLives } from "./life-checks.ts";
import { createKilledWorld, type KilledWorld } from "./killed-world.ts";
import { liveTogether } from "./one-life.ts";

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

/** Owners who live at the same time; what they share is checked after each such group. */
const togetherMax = 5;

/** Lives of owners over api processes; one that died is replaced by one that dies at other steps. */
export async function runKilledApis(options: {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly steps?: readonly string[];
  readonly say: (line: string) => void;
}): Promise<KilledApisResult> {
  const { seeds, firstSeed, say } = options;
  const killsAt = new Map((options.steps ?? steps).map((step) => [step, 0]));
  const broken: string[] = [];
  const world = await createKilledWorld();
  const dying = replaceTheDead(world, killsAt);
  try {
    await dying.isReady();
    const end = firstSeed + seeds;
    for (let seed = firstSeed; seed < end && broken.length < 20; seed += togetherMax) {
      const begunMs = performance.now();
      const group = Array.from({ length: Math.min(togetherMax, end - seed) }, (_, at) => seed + at);
      const found = await liveTogether(world, group).then(
        (lives) => checkLives(world, lives),
        (error: unknown) => [String((error as Error).stack)],
      );
      broken.push(...found.map((line) => `seeds ${seed} to ${group.at(-1)}: ${line}`));
      const seconds = ((performance.now() - begunMs) / 1_000).toFixed(1);
      say(`seeds ${seed} to ${group.at(-1)}: ${dying.deaths()} killed so far, ${seconds} s`);
      for (const line of found) say(`BROKEN ${line}`);
    }
    return { killsAt, broken };
  } finally {
    await dying.end();
    await world.close();
  }
}

/** While lives go on, as a supervisor does. */
function replaceTheDead(world: KilledWorld, killsAt: Map<string, number>) {
  const ending = new AbortController();
  const ended = once(ending.signal, "abort");
  const first = Promise.withResolvers<void>();
  let deaths = 0;
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const step = await deathOf(world, rarest(killsAt));
      if (step === undefined) continue;
      deaths += 1;
      killsAt.set(step, (killsAt.get(step) ?? 0) + 1);
    }
  }
  /** The step that a process died at; undefined if it outlived the run. */
  async function deathOf(of: KilledWorld, at: readonly string[]): Promise<string | undefined> {
    try {
      const api = await of.start(at);
      of.dying = api;
      first.resolve();
      await Promise.race([api.exited, ended]);
      of.dying = undefined;
      return api.diedAt();
    } catch (error) {
      if (error instanceof ApiEnded && error.diedAt !== undefined) return error.diedAt;
      throw error;
    }
  }
  const running = run();
  running.catch(first.reject);
  return {
    isReady: () => first.promise,
    deaths: () => deaths,
    async end() {
      ending.abort();
      await running;
    },
  };
}

/** The steps at which the fewest processes have died. */
function rarest(killsAt: ReadonlyMap<string, number>): string[] {
  const least = Math.min(...killsAt.values());
  return [...killsAt].filter(([, times]) => times === least).map(([step]) => step);
}
