import { DomainError } from "#src/platform/errors/domain-error.ts";

export interface CheckoutQueue {
  /**
   * Runs `work` in its turn; whoever waits longer than its deadline gets no answer.
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
 * The orders this process has at its providers: a few at once and one of each user, so that a
 * provider that is slow, or a user who is many, leaves room for everybody else.
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

/** @throws DomainError `unavailable` with the cause, unless `work` throws what is for the caller */
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
