const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** A program that ran this long was healthy: it is started again at once, then after the first pause. */
const HEALTHY_AFTER_MS = 10_000;

export interface Backoff {
  /** Milliseconds to wait before the next start of a program that ran for `livedMs`. */
  next(livedMs: number): number;
}

/** Pauses of 0.2 s, 0.4 s, ... 10 s between the starts of a program that keeps ending; none after a long run. */
export function createBackoff(): Backoff {
  let waitMs = FIRST_MS;
  return {
    next: (livedMs) => {
      if (livedMs >= HEALTHY_AFTER_MS) {
        waitMs = FIRST_MS;
        return 0;
      }
      const now = waitMs;
      waitMs = Math.min(waitMs * 2, LONGEST_MS);
      return now;
    },
  };
}
