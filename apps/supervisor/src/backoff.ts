const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** One that served this long was healthy; its next death starts from the beginning. */
const HEALTHY_AFTER_MS = 10_000;

export interface Backoff {
  /** How long to wait before the next start, after a life of that length. */
  next(livedMs: number): number;
}

/** 0.2 s, 0.4 s, ... 10 s between the starts of something that keeps dying. */
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
