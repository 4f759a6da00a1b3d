import { Epoll } from "@palisade/sockets/epoll";

/** Takes the events of one descriptor. */
export interface EventHandler {
  /** @param events bits of `epollEvents` */
  ready(events: number): void;
}

/** Names a registered descriptor until it is removed. */
export type Slot = number;

/** The part of a reactor that the owners of descriptors use. */
export type Descriptors = Pick<Reactor, "add" | "change" | "remove" | "detach" | "turns">;

const slotsFirst = 1_024;

/**
 * One thread's loop around epoll(7): waits for events and gives each to the handler of its
 * descriptor. A slot gets another generation when its descriptor is removed, so an event that was
 * reported in the same turn for a descriptor that is closed by now reaches no one.
 */
export class Reactor {
  readonly #epoll: Epoll;
  readonly #handlers: (EventHandler | undefined)[] = [];
  #generations = new Uint32Array(slotsFirst);
  /** Slots that are free again. */
  readonly #free: Slot[] = [];
  #size = 0;
  /** So many turns were taken. */
  turns = 0;

  /** @param eventsMax events of one turn: after these, deadlines and messages have their time */
  constructor(eventsMax: number) {
    this.#epoll = new Epoll(eventsMax);
  }

  /** Registered descriptors. */
  get size(): number {
    return this.#size;
  }

  /** @throws SystemCallError */
  add(fd: number, events: number, handler: EventHandler): Slot {
    const slot = this.#free.pop() ?? this.#handlers.length;
    if (slot >= this.#generations.length) this.#grow();
    try {
      this.#epoll.add(fd, events, slot, this.#generations[slot] ?? 0);
    } catch (error) {
      this.#free.push(slot);
      throw error;
    }
    this.#handlers[slot] = handler;
    this.#size++;
    return slot;
  }

  /** Waits for other events of a registered descriptor. */
  change(slot: Slot, fd: number, events: number): void {
    this.#epoll.modify(fd, events, slot, this.#generations[slot] ?? 0);
  }

  /** Directly before the descriptor is closed, which takes it out of epoll. */
  remove(slot: Slot): void {
    this.#handlers[slot] = undefined;
    this.#generations[slot] = (this.#generations[slot] ?? 0) + 1;
    this.#free.push(slot);
    this.#size--;
  }

  /** Before the descriptor goes to another process: there it is open still, and would go on to report. */
  detach(slot: Slot, fd: number): void {
    this.#epoll.remove(fd);
    this.remove(slot);
  }

  /**
   * One turn: waits, then handles the events that are there.
   *
   * @param timeoutMs -1 waits without an end
   * @returns the number of events
   */
  turn(timeoutMs: number): number {
    const count = this.#epoll.wait(timeoutMs);
    this.turns += 1;
    for (let index = 0; index < count; index += 1) {
      const slot = this.#epoll.slot(index);
      // A handler before this one may have removed it.
      if (this.#generations[slot] !== this.#epoll.generation(index)) continue;
      this.#handlers[slot]?.ready(this.#epoll.events(index));
    }
    return count;
  }

  close(): void {
    this.#epoll.close();
  }

  #grow(): void {
    const larger = new Uint32Array(this.#generations.length * 2);
    larger.set(this.#generations);
    this.#generations = larger;
  }
}
