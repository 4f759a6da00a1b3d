/**
 * An entry of a slot; made once for each object that waits and reused for each of its deadlines.
 */
interface Place extends Linked<Place> {
  readonly item: Expiring;
  due: number;
}

export interface Expiring {
  expire(): void;
  /** The wheel's own. */
  place?: Place | undefined;
}

/**
 * One timer for all deadlines of an edge: a ring of slots, one tick apart. A deadline is met within
 * a tick after its time, never before it. An entry is an object with `expire`, linked to its
 * neighbours, so a connection costs no timer, no closure and no table.
 */
export class TimerWheel {
  readonly #nowMs: () => number;
  readonly #tickMs: number;
  /** The head of each slot's list, which is no entry itself. */
  readonly #slots: Place[];
  #size = 0;
  #tick: number;
  #runs = false;
  /** While something is scheduled. */
  #timer: NodeJS.Timeout | undefined;

  /** @param nowMs a clock that is never set back */
  constructor(nowMs: () => number, tickMs = 100, slots = 64) {
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
    this.#slots = Array.from({ length: slots }, emptySlot);
    this.#tick = Math.floor(nowMs() / tickMs);
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Calls `advance` by itself from now on. Only while something is scheduled: each call wakes the thread,
   * which costs an idle one some tenths of a millisecond.
   */
  run(): void {
    this.#runs = true;
    if (this.#size > 0) this.#startTimer();
  }

  stop(): void {
    this.#runs = false;
    this.#stopTimer();
  }

  /** Sets the deadline, in place of one set before. */
  schedule(item: Expiring, delayMs: number): void {
    this.cancel(item);
    // Counted from now, not from the last round: that may be long ago if the process was busy.
    const due = Math.ceil((this.#nowMs() + delayMs) / this.#tickMs);
    const head = this.#slots[due % this.#slots.length];
    if (head === undefined) return;
    item.place ??= { item, due, previous: undefined, next: undefined };
    link(item.place, head);
    item.place.due = due;
    this.#size++;
    if (this.#runs) this.#startTimer();
  }

  cancel(item: Expiring): void {
    if (item.place !== undefined && unlink(item.place)) this.#size--;
  }

  /** Expires what is due. However long ago the last call was, it costs one round at most. */
  advance(): void {
    const target = Math.floor(this.#nowMs() / this.#tickMs);
    const rounds = Math.min(target - this.#tick, this.#slots.length);
    const first = target - rounds + 1;
    this.#tick = target;
    for (let tick = first; tick <= target; tick++) this.#expireSlot(tick % this.#slots.length);
    if (this.#size === 0) this.#stopTimer();
  }

  #startTimer(): void {
    this.#timer ??= setInterval(() => this.advance(), this.#tickMs);
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #expireSlot(slot: number): void {
    const head = this.#slots[slot];
    const due: Place[] = [];
    for (let at = head?.next; at !== undefined && at !== head; at = at.next) {
      if (at.due <= this.#tick) due.push(at);
    }
    // An expiring entry may cancel or reschedule others that were due with it.
    for (const place of due) {
      if (place.due > this.#tick || !unlink(place)) continue;
      this.#size--;
      place.item.expire();
    }
  }
}

function emptySlot(): Place {
  const item = { expire: () => undefined };
  return asList<Place>({ item, due: 0, previous: undefined, next: undefined });
}

/** A member of a circular list, linked to its neighbours; they are undefined while it is in none. */
interface Linked<Self> {
  previous: Self | undefined;
  next: Self | undefined;
}

/** @returns the head, as an empty circular list */
function asList<Place extends Linked<Place>>(head: Place): Place {
  head.previous = head.next = head;
  return head;
}

/** As the last. */
function link<Place extends Linked<Place>>(place: Place, list: Place): void {
  place.previous = list.previous;
  place.next = list;
  if (list.previous !== undefined) list.previous.next = place;
  list.previous = place;
}

/** False if it was not linked. */
function unlink<Place extends Linked<Place>>(place: Place): boolean {
  const { previous, next } = place;
  if (previous === undefined || next === undefined) return false;
  previous.next = next;
  next.previous = previous;
  place.previous = place.next = undefined;
  return true;
}
