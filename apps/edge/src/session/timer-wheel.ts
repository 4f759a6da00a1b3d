/**
 * One timer for all deadlines of an edge: a ring of slots, one tick apart. A
 * deadline is met within a tick after its time, never before it. What waits
 * is an object with `expire`, so a connection costs no timer and no closure.
 */
export interface Expiring {
  expire(): void;
}

export class TimerWheel {
  readonly #nowMs: () => number;
  readonly #tickMs: number;
  readonly #slots: Map<Expiring, number>[];
  readonly #slotOf = new Map<Expiring, number>();
  #tick: number;

  /** @param nowMs a clock that is never set back */
  constructor(nowMs: () => number, tickMs = 100, slots = 64) {
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
    this.#slots = Array.from({ length: slots }, () => new Map<Expiring, number>());
    this.#tick = Math.floor(nowMs() / tickMs);
  }

  get tickMs(): number {
    return this.#tickMs;
  }

  get size(): number {
    return this.#slotOf.size;
  }

  /** Sets the deadline, in place of one set before. */
  schedule(item: Expiring, delayMs: number): void {
    this.cancel(item);
    // From the time it is, not from the last round: that may be long ago where the process was busy.
    const due = Math.ceil((this.#nowMs() + delayMs) / this.#tickMs);
    const slot = due % this.#slots.length;
    this.#slots[slot]?.set(item, due);
    this.#slotOf.set(item, slot);
  }

  cancel(item: Expiring): void {
    const slot = this.#slotOf.get(item);
    if (slot === undefined) return;
    this.#slots[slot]?.delete(item);
    this.#slotOf.delete(item);
  }

  /** Expires what is due. However long ago the last call was, it costs one round at most. */
  advance(): void {
    const target = Math.floor(this.#nowMs() / this.#tickMs);
    const rounds = Math.min(target - this.#tick, this.#slots.length);
    const first = target - rounds + 1;
    this.#tick = target;
    for (let tick = first; tick <= target; tick++) this.#expireSlot(tick % this.#slots.length);
  }

  #expireSlot(slot: number): void {
    const items = this.#slots[slot];
    if (items === undefined) return;
    for (const [item, due] of items) {
      if (due > this.#tick) continue;
      items.delete(item);
      this.#slotOf.delete(item);
      item.expire();
    }
  }
}
