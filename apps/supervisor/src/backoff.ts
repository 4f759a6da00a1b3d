const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** A program that ran this long was healthy: after its end the pauses begin at the first one again. */
const HEALTHY_AFTER_MS = 10_000;

export interface Backoff {
  /** Milliseconds to wait before the next start of a program that ran for `livedMs`. */
  next(livedMs: number): number;
}

/** Pauses of 0.2 s, 0.4 s, ... 10 s between the starts of a program that keeps ending. */
export function createBackoff(): Backoff {
  let waitMs = FIRST_MS;
  return {
    next: (livedMs) => {
      if (livedMs >= HEALTHY_AFTER_MS) waitMs = FIRST_MS;
      const now = waitMs;
      waitMs = Math.min(waitMs * 2, LONGEST_MS);
      return now;
    },
  };
}
