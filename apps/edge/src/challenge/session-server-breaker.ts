import type { VerificationLimits } from "./rules/limits.ts";

// Words of the shared memory.
const failures = 0;
const pausedUntil = 1;
const trialUntil = 2;
const wordCount = 3;

/** Unit of times in a word: years fit into 31 bits. */
const unitMs = 100;
/** Longer than a call takes, so that a thread that dies during one blocks no other. */
const trialSlackMs = 1_000;

type BreakerLimits = Pick<
  VerificationLimits,
  "sessionFailuresMax" | "sessionPauseMs" | "sessionCallMs"
>;

/** A circuit breaker for the session server, shared by all threads of the edge. */
export class SessionServerBreaker {
  readonly #words: Int32Array;
  readonly #limits: BreakerLimits;

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * wordCount);
  }

  constructor(buffer: SharedArrayBuffer, limits: BreakerLimits) {
    this.#words = new Int32Array(buffer);
    this.#limits = limits;
  }

  /** @param nowMs of a clock that all threads have in common, and that is never set back */
  allows(nowMs: number): boolean {
    if (!this.#isTripped) return true;
    const now = unitsOf(nowMs);
    return now >= this.#word(pausedUntil) && now >= this.#word(trialUntil);
  }

  /**
   * After a pause one call goes first; the others follow once it was answered.
   *
   * @returns undefined if no call may be made now
   */
  enter(nowMs: number): "usual" | "trial" | undefined {
    if (!this.#isTripped) return "usual";
    const now = unitsOf(nowMs);
    const before = this.#word(trialUntil);
    if (now < this.#word(pausedUntil) || now < before) return undefined;
    const until = unitsOf(nowMs + this.#limits.sessionCallMs + trialSlackMs);
    const found = Atomics.compareExchange(this.#words, trialUntil, before, until);
    return found === before ? "trial" : undefined;
  }

  /** The trial has ended, whether or not there was an answer. */
  endTrial(): void {
    Atomics.store(this.#words, trialUntil, 0);
  }

  settle(isAnswer: boolean, nowMs: number): void {
    if (isAnswer) {
      if (this.#word(failures) !== 0) Atomics.store(this.#words, failures, 0);
      return;
    }
    const count = Atomics.add(this.#words, failures, 1) + 1;
    if (count < this.#limits.sessionFailuresMax) return;
    Atomics.store(
      this.#words,
      pausedUntil,
      Math.ceil((nowMs + this.#limits.sessionPauseMs) / unitMs),
    );
  }

  get #isTripped(): boolean {
    return this.#word(failures) >= this.#limits.sessionFailuresMax;
  }

  #word(index: number): number {
    return Atomics.load(this.#words, index);
  }
}

function unitsOf(ms: number): number {
  return Math.floor(ms / unitMs);
}
