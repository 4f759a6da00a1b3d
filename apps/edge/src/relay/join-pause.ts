/** Joins are counted over this time. */
const windowMs = 10;
/** More than a thousand players a second are a flood. */
const joinsPerMs = 1;
/** Short beside the 50 ms between two packets of the game. */
const pauseMs = 0.3;

/**
 * Lets events gather in a flood of joins. Without it, each of the few packets of a new connection wakes
 * the relay process, which interrupts a worker on the same core: a seventh of the cost of a join. Packets
 * of other players wait as long.
 */
export class JoinPause {
  readonly #nowMs: () => number;
  #sinceMs: number;
  #joins = 0;
  #isFlooded = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /** A player has been handed over. */
  joined(): void {
    this.#joins++;
  }

  /** To be asked before each wait for events. @returns milliseconds to pause first */
  beforeWait(): number {
    const nowMs = this.#nowMs();
    const passedMs = nowMs - this.#sinceMs;
    if (passedMs >= windowMs) {
      this.#isFlooded = this.#joins > joinsPerMs * passedMs;
      this.#joins = 0;
      this.#sinceMs = nowMs;
    }
    return this.#isFlooded ? pauseMs : 0;
  }
}
