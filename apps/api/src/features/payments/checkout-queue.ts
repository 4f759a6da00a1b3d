import { DomainError } from "#src/platform/errors/domain-error.ts";

export interface CheckoutQueue {
  /**
   * Runs `work` when its turn comes. It fails with `unavailable` once its deadline is over.
   *
   * @throws DomainError `rate_limited`, `unavailable`
   */
  run<T>(userId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface QueuedOrder {
  readonly userId: string;
  begin(): void;
}

const defaults = { atOnceMax: 8, waitingMax: 16, ofUserMax: 4, deadlineMs: 8_000 };

/**
 * Limits the orders that this process has open at its providers: a few at once, and one of each
 * user. A slow provider, or a user with many orders, therefore leaves room for the others.
 */
export function createCheckoutQueue(limits: Partial<typeof defaults> = {}): CheckoutQueue {
  const { atOnceMax, waitingMax, ofUserMax, deadlineMs } = { ...defaults, ...limits };
  const running = new Set<string>();
  const waiting: QueuedOrder[] = [];

  const beginNext = (): void => {
    if (running.size >= atOnceMax) return;
    const index = waiting.findIndex(({ userId }) => !running.has(userId));
    const [turn] = index === -1 ? [] : waiting.splice(index, 1);
    if (turn === undefined) return;
    running.add(turn.userId);
    turn.begin();
  };
  const enter = (userId: string): Promise<void> => {
    const ofUser = waiting.filter((turn) => turn.userId === userId).length;
    if (ofUser + Number(running.has(userId)) >= ofUserMax) {
      throw new DomainError("rate_limited", { retryAfterSeconds: 5 });
    }
    if (waiting.length >= waitingMax)
      throw new DomainError("unavailable", { retryAfterSeconds: 5 });
    return new Promise((resolve) => {
      waiting.push({ userId, begin: resolve });
      beginNext();
    });
  };
  return {
    async run(userId, work) {
      await enter(userId);
      try {
        return await within(deadlineMs, work);
      } finally {
        running.delete(userId);
        beginNext();
      }
    },
  };
}

/** @throws DomainError `unavailable` with the cause, or the DomainError that `work` throws */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
  try {
    return await Promise.race([work(signal), late]);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("unavailable", { retryAfterSeconds: 5, cause: error });
  }
}
