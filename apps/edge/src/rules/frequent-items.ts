/**
 * The most frequent of any number of keys, in constant memory (Misra and Gries, with the batched
 * decrement of Apache DataSketches). Every count is a lower bound: it is too small by at most
 * `total * 2 / capacity`, so that a key with a larger share than that is always among them.
 */
export class FrequentItems<Key extends string | number> {
  readonly #capacity: number;
  readonly #counts = new Map<Key, number>();
  /** All that was added, whatever is left of it. */
  total = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#counts.size;
  }

  add(key: Key, count = 1): void {
    this.total += count;
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= this.#capacity) this.#shrink();
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /** All that is left, in no order. */
  entries(): [Key, number][] {
    return [...this.#counts];
  }

  /** The most frequent first. */
  top(most: number): [Key, number][] {
    return this.entries()
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, most);
  }

  /**
   * Takes the median count from every key and drops those that are left with none: at least half, so
   * that this costs little for each `add`.
   */
  #shrink(): void {
    const counts = Float64Array.from(this.#counts.values()).sort();
    const median = counts[counts.length >>> 1] ?? 0;
    for (const [key, count] of this.#counts) {
      if (count <= median) this.#counts.delete(key);
      else this.#counts.set(key, count - median);
    }
  }
}
