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
 * One timer for all deadlines of an edge: a ring of slots, one tick apart, and a list of those beyond it.
 * A deadline is met within a tick after its time, never before it. An entry is an object with `expire`,
 * linked to its neighbours, so a connection costs no timer, no closure and no table.
 */
export class TimerWheel {
  readonly #nowMs: () => number;
  readonly #tickMs: number;
  /** The head of each slot's list, which is no entry itself. */
  readonly #slots: Place[];
  /** The head of those that are due at `#ringEnd` or later. */
  readonly #far = emptySlot();
  /** The ring moves on in steps of so many ticks: half of it. */
  readonly #step: number;
  /** The first tick beyond the ring. */
  #ringEnd: number;
  #inRing = 0;
  #size = 0;
  #tick: number;
  #runs = false;
  /** While the ring has an entry. */
  #tickTimer: NodeJS.Timeout | undefined;
  /** While there is one beyond it. */
  #stepTimer: NodeJS.Timeout | undefined;

  /** @param nowMs a clock that is never set back */
  constructor(nowMs: () => number, tickMs = 100, slots = 64) {
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
    this.#slots = Array.from({ length: slots }, emptySlot);
    this.#step = slots / 2;
    this.#tick = Math.floor(nowMs() / tickMs);
    this.#ringEnd = this.#tick + slots;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Calls `advance` by itself from now on: each tick while something is due soon, else some twenty times
   * less often. Each call wakes the thread, which costs an idle one some tenths of a millisecond.
   */
  run(): void {
    this.#runs = true;
    this.#startTimers();
  }

  stop(): void {
    this.#runs = false;
    this.#stopTimers(true, true);
  }

  /** Sets the deadline, in place of one set before. */
  schedule(item: Expiring, delayMs: number): void {
    this.cancel(item);
    const nowMs = this.#nowMs();
    // The ring stands still while nothing is scheduled.
    if (this.#size === 0) this.#ringEnd = Math.floor(nowMs / this.#tickMs) + this.#slots.length;
    // Counted from now, not from the last round: that may be long ago if the process was busy.
    const due = Math.ceil((nowMs + delayMs) / this.#tickMs);
    item.place ??= { item, due, previous: undefined, next: undefined };
    item.place.due = due;
    this.#put(item.place);
    this.#size++;
    if (this.#runs) this.#startTimers();
  }

  cancel({ place }: Expiring): void {
    if (place !== undefined && unlink(place)) this.#left(place);
  }

  /** Expires what is due. However long ago the last call was, it costs one round at most. */
  advance(): void {
    const target = Math.floor(this.#nowMs() / this.#tickMs);
    if (this.#ringEnd - target <= this.#step) this.#moveRing(target + this.#slots.length);
    const rounds = Math.min(target - this.#tick, this.#slots.length);
    const first = target - rounds + 1;
    this.#tick = target;
    for (let tick = first; tick <= target; tick++) this.#expireSlot(tick % this.#slots.length);
    this.#stopTimers(this.#inRing === 0, this.#inRing === this.#size);
  }

  #startTimers(): void {
    if (this.#inRing > 0) this.#tickTimer ??= setInterval(() => this.advance(), this.#tickMs);
    if (this.#inRing < this.#size) {
      this.#stepTimer ??= setInterval(() => this.advance(), this.#step * this.#tickMs);
    }
  }

  #stopTimers(ofTicks: boolean, ofSteps: boolean): void {
    if (ofTicks) {
      clearInterval(this.#tickTimer);
      this.#tickTimer = undefined;
    }
    if (ofSteps) {
      clearInterval(this.#stepTimer);
      this.#stepTimer = undefined;
    }
  }

  /** Links an entry by the tick at which it is due. */
  #put(place: Place): void {
    const isInRing = place.due < this.#ringEnd;
    if (isInRing) this.#inRing++;
    const slot = isInRing ? this.#slots[place.due % this.#slots.length] : this.#far;
    link(place, slot ?? this.#far);
  }

  /** An entry is linked no more. */
  #left({ due }: Place): void {
    if (due < this.#ringEnd) this.#inRing--;
    this.#size--;
  }

  /** @param end the new first tick beyond the ring */
  #moveRing(end: number): void {
    this.#ringEnd = end;
    const far = this.#far;
    for (let at = far.next; at !== undefined && at !== far;) {
      const { next } = at;
      if (at.due < end && unlink(at)) this.#put(at);
      at = next;
    }
    if (this.#runs) this.#startTimers();
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
      this.#left(place);
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
