/** The way of bytes in one direction. */
export interface Line {
  /** Bytes, or the end of all. */
  carry(deliver: () => void): void;
  /** Nothing more arrives. */
  cut(): void;
}

/** Delivers at once. */
export const directLine: Line = { carry: (deliver) => deliver(), cut: () => undefined };

export interface LineOptions {
  /** A whole number from 0 to below a bound. */
  readonly random: (below: number) => number;
  /** How long bytes are on their way. */
  readonly jitterMs: { readonly least: number; readonly most: number };
  /** One in so many is lost and sent again. */
  readonly lostOneIn: number;
  /** How long that takes. */
  readonly pauseMs: { readonly least: number; readonly most: number };
}

/** Delivers late, and in order, as TCP does: what comes behind a lost segment waits for it. */
export class SlowLine implements Line {
  readonly #options: LineOptions;
  readonly #queue: { readonly atMs: number; readonly deliver: () => void }[] = [];
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isCut = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  carry(deliver: () => void): void {
    if (this.#isCut) return;
    this.#lastMs = Math.max(this.#lastMs, performance.now() + this.#delayMs());
    this.#queue.push({ atMs: this.#lastMs, deliver });
    this.#wait();
  }

  cut(): void {
    this.#isCut = true;
    this.#queue.length = 0;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const [next] = this.#queue;
    if (next === undefined || this.#timer !== undefined) return;
    const ms = Math.max(0, Math.ceil(next.atMs - performance.now()));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#deliverDue();
    }, ms);
  }

  #deliverDue(): void {
    const nowMs = performance.now();
    for (let [next] = this.#queue; next !== undefined && next.atMs <= nowMs; [next] = this.#queue) {
      this.#queue.shift();
      next.deliver();
    }
    this.#wait();
  }

  #delayMs(): number {
    const { random, jitterMs, pauseMs, lostOneIn } = this.#options;
    const within = ({ least, most }: LineOptions["jitterMs"]): number =>
      least + random(most - least + 1);
    return within(jitterMs) + (random(lostOneIn) === 0 ? within(pauseMs) : 0);
  }
}
