/**
 * File descriptors of connections. New connections stop at the soft limit; what
 * is left up to the hard one belongs to players already let in, whose second
 * socket and whose answer are still to come. Files, listeners and the control
 * plane live on the reserve behind the hard limit.
 */
export class FdBudget {
  readonly #softMax: number;
  readonly #hardMax: number;
  #used = 0;

  constructor(openFilesMax: number, reserve = 128) {
    this.#hardMax = Math.max(8, openFilesMax - reserve);
    this.#softMax = Math.floor(this.#hardMax * 0.9);
  }

  get used(): number {
    return this.#used;
  }

  /** Whether a new, unverified connection has to make room. */
  get isTight(): boolean {
    return this.#used >= this.#softMax;
  }

  /** Takes one for a connection of the edge's own making; false where there is none. */
  tryTake(): boolean {
    if (this.#used >= this.#hardMax) return false;
    this.#used++;
    return true;
  }

  /** Counts one that exists already. */
  take(): void {
    this.#used++;
  }

  release(): void {
    this.#used--;
  }
}
