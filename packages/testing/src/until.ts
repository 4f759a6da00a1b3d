import { setTimeout as delay } from "node:timers/promises";

export interface UntilOptions {
  /** Time after which to give up. It is generous: only a real fault reaches it. */
  readonly capMs?: number;
  /** Pause between two checks; by default an eighth of the time waited so far, so that checks cost little. */
  readonly everyMs?: number;
  /** Names the condition in the error. */
  readonly what?: string;
}

type Falsy = false | 0 | "" | null | undefined;

/**
 * Waits until the condition holds and returns its value. A condition that throws does not hold yet;
 * the last error becomes the cause when the cap is reached.
 *
 * @throws Error naming `what` when the cap is reached
 * @example
 * const applied = await until(() => edge.revisions.get(shieldId), { what: "the new revision" });
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { capMs = 60_000, everyMs, what = "the condition" }: UntilOptions = {},
): Promise<Exclude<T, Falsy>> {
  const beganAt = performance.now();
  for (;;) {
    let cause: unknown;
    try {
      const value = await condition();
      // TypeScript cannot narrow to Exclude; the condition before checks it.
      if (value) return value as Exclude<T, Falsy>;
    } catch (error) {
      cause = error;
    }
    const waitedMs = performance.now() - beganAt;
    if (waitedMs > capMs) throw new Error(`${what} did not come within ${capMs} ms`, { cause });
    await delay(everyMs ?? Math.min(Math.max(waitedMs / 8, 10), 500));
  }
}
