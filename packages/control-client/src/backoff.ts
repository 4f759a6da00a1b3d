export interface BackoffOptions {
  readonly baseMs: number;
  readonly capMs: number;
  /** Uniform in [0, 1); Math.random by default. */
  readonly random?: () => number;
}

export interface Backoff {
  /** Milliseconds to wait before the next attempt. */
  next(): number;
  reset(): void;
}

/**
 * Exponential back-off with equal jitter: half of the step is fixed, half random, so that a
 * thousand edges do not reconnect to a restarted api at the same moment.
 */
export function createBackoff({ baseMs, capMs, random = Math.random }: BackoffOptions): Backoff {
  let attempts = 0;
  return {
    next() {
      const step = Math.min(capMs, baseMs * 2 ** Math.min(attempts, 30));
      attempts += 1;
      return step / 2 + (step / 2) * random();
    },
    reset() {
      attempts = 0;
    },
  };
}
