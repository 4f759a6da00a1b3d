import { SeededHash } from "./seeded-hash.ts";

// The head is one line of the cache; what changes begins behind it.
const headWords = 16;
const head = { columns: 0, seed: 1 } as const;
/** Counts that one key may have, side by side. */
const kinds = 2;
const rows = 2;
/** Threads that reach for the last place at once may all step back from it; then they try again. */
const triesMax = 16;

/** A key and its cells, one in each row. */
export interface Cells {
  readonly key: string;
  readonly first: number;
  readonly second: number;
}

/** Which of a key's counts. */
export type CountKind = 0 | 1;

export interface CountMinSketchOptions {
  /** Threads that count. */
  readonly columns: number;
  /** In a row; a power of two, many times the keys that have a count at once. */
  readonly cells?: number;
  /** 8 bytes, of this start. */
  readonly seed: Uint8Array;
}

/**
 * A count-min sketch of things that exist now, by key, counted up and down by all threads:
 * connections of a source, players of a backend. Every thread has a column of its own and a count
 * is the sum over them, so the counts of a dead thread are taken back by emptying its column.
 *
 * Keys are not stored. Each has a cell in either row, chosen by two halves of a keyed hash, and the
 * smaller sum counts. A count is never too small. It is too large only if both cells are shared
 * with other keys that have counts, which nothing but chance can bring about without the seed.
 */
export class CountMinSketch {
  readonly #words: Int32Array;
  readonly #columns: number;
  readonly #column: number;
  readonly #mask: number;
  readonly #hash: SeededHash;

  static allocate({ columns, cells = 65_536, seed }: CountMinSketchOptions): SharedArrayBuffer {
    if ((cells & (cells - 1)) !== 0) throw new RangeError(`${cells} cells are no power of two`);
    const buffer = new SharedArrayBuffer(4 * (headWords + rows * cells * kinds * columns));
    new Int32Array(buffer)[head.columns] = columns;
    new Uint8Array(buffer, 4 * head.seed, 8).set(seed.subarray(0, 8));
    return buffer;
  }

  /** @param column this thread's */
  constructor(buffer: SharedArrayBuffer, column: number) {
    this.#words = new Int32Array(buffer);
    this.#columns = this.#words[head.columns] ?? 1;
    this.#column = column;
    this.#mask = (this.#words.length - headWords) / (rows * kinds * this.#columns) - 1;
    this.#hash = new SeededHash(new Uint8Array(buffer, 4 * head.seed, 8).slice());
  }

  /** @param space keeps keys of different meaning apart */
  cellsOf(space: number, key: string): Cells {
    const { high, low } = this.#hash.begin(space).addName(key).end();
    const width = kinds * this.#columns;
    const second = this.#mask + 1 + (high & this.#mask);
    return {
      key,
      first: headWords + (low & this.#mask) * width,
      second: headWords + second * width,
    };
  }

  /** The count over all threads. */
  total({ first, second }: Cells, kind: CountKind): number {
    const skip = kind * this.#columns;
    return Math.max(0, Math.min(this.#sum(first + skip), this.#sum(second + skip)));
  }

  /** Counts one more, whatever there is. */
  up(cells: Cells, kind: CountKind): void {
    this.#add(cells, kind, 1);
  }

  /** The count of this thread alone. */
  down(cells: Cells, kind: CountKind): void {
    this.#add(cells, kind, -1);
  }

  /**
   * Counts one more where that makes no more than `max` of all threads.
   *
   * Each counts before it looks, so that of those who come at once the last one sees all the others.
   */
  tryUp(cells: Cells, kind: CountKind, max: number): boolean {
    for (let tried = 0; tried < triesMax; tried++) {
      this.#add(cells, kind, 1);
      if (this.#isAtMost(cells, kind, max)) return true;
      this.#add(cells, kind, -1);
      if (!this.#isAtMost(cells, kind, max - 1)) return false;
    }
    return false;
  }

  /** Removes the counts of a thread that has ended. */
  clear(column: number): void {
    for (let at = headWords + column; at < this.#words.length; at += this.#columns) {
      if (Atomics.load(this.#words, at) !== 0) Atomics.store(this.#words, at, 0);
    }
  }

  /** Mostly one row says it. */
  #isAtMost({ first, second }: Cells, kind: CountKind, max: number): boolean {
    const skip = kind * this.#columns;
    return this.#sum(first + skip) <= max || this.#sum(second + skip) <= max;
  }

  #add({ first, second }: Cells, kind: CountKind, by: 1 | -1): void {
    const skip = kind * this.#columns + this.#column;
    Atomics.add(this.#words, first + skip, by);
    Atomics.add(this.#words, second + skip, by);
  }

  #sum(at: number): number {
    let sum = 0;
    for (let column = 0; column < this.#columns; column++) {
      sum += Atomics.load(this.#words, at + column);
    }
    return sum;
  }
}

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

/** Reserved for files, the control plane and listeners of this machine's own. */
const reserve = 96;
/** Reserved for each worker: its event loop and its relay process. */
const reservePerThread = 32;

/** The budget of the whole process; all threads take from it. */
export interface FdShare {
  readonly gauges: EdgeGauges;
  /** Threads that take players. */
  readonly shares: number;
}

/**
 * File descriptors of connections. New connections stop at the soft limit; what
 * is left up to the hard one belongs to players already let in, whose second
 * socket and whose answer are still to come. Files, listeners and the control
 * plane live on the reserve behind the hard limit.
 */
export class FdBudget {
  readonly #gauges: EdgeGauges;
  /** New connections stop here. */
  readonly softMax: number;
  readonly #hardMax: number;

  constructor(openFilesMax: number, { gauges, shares }: FdShare = alone()) {
    this.#gauges = gauges;
    this.#hardMax = Math.max(8, openFilesMax - reserve - reservePerThread * shares);
    this.softMax = Math.floor(this.#hardMax * 0.9);
  }

  /** By all threads. */
  get used(): number {
    return this.#gauges.total("files");
  }

  /** Whether a new, unverified connection has to make room. */
  get isTight(): boolean {
    return this.used >= this.softMax;
  }

  /** Takes one for a connection that the edge makes itself; false if there is none. */
  tryTake(): boolean {
    // Counted before it is checked, so that of threads that come at once the last one sees the
    // others.
    this.take();
    if (this.used <= this.#hardMax) return true;
    this.release();
    return false;
  }

  /** Counts one that exists already. */
  take(): void {
    this.#gauges.add("files", 1);
  }

  release(): void {
    this.#gauges.add("files", -1);
  }
}

function alone(): FdShare {
  return { gauges: new EdgeGauges(EdgeGauges.allocate(1), 0), shares: 1 };
}
