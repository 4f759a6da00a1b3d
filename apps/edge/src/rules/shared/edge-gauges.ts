/** Totals of the edge as a whole. */
const gauges = ["files", "pending"] as const;
export type EdgeGauge = (typeof gauges)[number];

const indexOf = { files: 0, pending: 1 } as const satisfies Record<EdgeGauge, number>;
/** Each thread writes to a line of the cache of its own. */
const columnWords = 16;

/**
 * Counted up and down by all threads, each in a column of its own, which is emptied when the thread
 * has died.
 */
export class EdgeGauges {
  readonly #words: Int32Array;
  readonly #own: number;

  /** @param columns threads that count */
  static allocate(columns: number): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * columnWords * columns);
  }

  /** @param column this thread's */
  constructor(buffer: SharedArrayBuffer, column: number) {
    this.#words = new Int32Array(buffer);
    this.#own = column * columnWords;
  }

  /** The total over all threads. */
  total(gauge: EdgeGauge): number {
    let sum = 0;
    for (let at = indexOf[gauge]; at < this.#words.length; at += columnWords) {
      sum += Atomics.load(this.#words, at);
    }
    return sum;
  }

  add(gauge: EdgeGauge, by: number): void {
    Atomics.add(this.#words, this.#own + indexOf[gauge], by);
  }

  clear(column: number): void {
    const first = column * columnWords;
    for (let at = first; at < first + columnWords; at++) Atomics.store(this.#words, at, 0);
  }
}
