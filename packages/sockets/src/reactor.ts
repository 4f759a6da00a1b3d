import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers";
import { MessageChannel } from "node:worker_threads";
import { Epoll, epollEvents } from "./epoll.ts";
import { NodeLoop } from "./node-loop.ts";

/** Takes the events of one descriptor. */
export interface EventHandler {
  /**
   * @param events bits of `epollEvents`
   * @param key as given with the descriptor
   */
  ready(events: number, key: number): void;
}

/** Names a registered descriptor until it is removed. */
export type Slot = number;

/** The part of a reactor that the owners of descriptors use. */
export type Descriptors = Pick<
  Reactor,
  "add" | "change" | "remove" | "detach" | "turns" | "afterEvents"
>;

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
  #keys = new Uint32Array(slotsFirst);
  /** Slots that are free again. */
  readonly #free: Slot[] = [];
  #size = 0;
  #afterEvents: (() => void)[] = [];
  /** So many turns were taken. */
  turns = 0;
  /** The events of a turn are being handled. */
  isHandling = false;

  /** @param eventsMax events of one turn: after these, deadlines and messages have their time */
  constructor(eventsMax: number) {
    this.#epoll = new Epoll(eventsMax);
  }

  /** Registered descriptors. */
  get size(): number {
    return this.#size;
  }

  /**
   * @param key tells descriptors with the same handler apart
   * @throws SystemCallError
   */
  add(fd: number, events: number, handler: EventHandler, key = 0): Slot {
    const slot = this.#free.pop() ?? this.#handlers.length;
    if (slot >= this.#generations.length) this.#grow();
    try {
      this.#epoll.add(fd, events, slot, this.#generations[slot] ?? 0);
    } catch (error) {
      this.#free.push(slot);
      throw error;
    }
    this.#handlers[slot] = handler;
    this.#keys[slot] = key;
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

  /** Calls back in this turn, when its other events are handled: for handlers that do several at once. */
  afterEvents(callback: () => void): void {
    this.#afterEvents.push(callback);
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
    this.isHandling = true;
    try {
      for (let index = 0; index < count; index += 1) {
        const slot = this.#epoll.slot(index);
        // A handler before this one may have removed it.
        if (this.#generations[slot] !== this.#epoll.generation(index)) continue;
        this.#handlers[slot]?.ready(this.#epoll.events(index), this.#keys[slot] ?? 0);
      }
      if (this.#afterEvents.length > 0) this.#runAfterEvents();
    } finally {
      this.isHandling = false;
    }
    return count;
  }

  close(): void {
    this.#epoll.close();
  }

  #runAfterEvents(): void {
    const due = this.#afterEvents;
    this.#afterEvents = [];
    for (const callback of due) callback();
  }

  #grow(): void {
    this.#generations = twiceAsLarge(this.#generations);
    this.#keys = twiceAsLarge(this.#keys);
  }
}

function twiceAsLarge(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Events of one turn: after these, the work of `later` has its time. */
const eventsPerTurn = 256;
/**
 * Turns and time without a look at Node's loop, whichever is longer; the time is checked after each so many
 * turns. A look costs as much as relaying several datagrams.
 */
const unlookedTurns = 64;
const unlookedMs = 50;
/** One wait: Node's loop is looked at again after it, whatever it has announced. */
const waitMaxMs = 500;
/** Events hold up the work of `whenQuiet` for so long. */
const unquietMs = 1;
/**
 * Rounds of Node's loop without an event before this thread waits. In the first one, callbacks may
 * have opened descriptors that the loop registers in the next.
 */
const quietRounds = 2;

/** Nothing wakes what waits for it. */
const pauseCell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * The reactor of a thread that Node runs as well. It waits for its own descriptors and for Node's
 * loop at once, so that promises, timers and Node's own sockets go on, and a thread without work of
 * Node's is never delayed by it. While no descriptor is registered it does nothing.
 */
export class ThreadReactor implements Descriptors {
  readonly #reactor = new Reactor(eventsPerTurn);
  readonly #node = new NodeLoop();
  readonly #wake = new MessageChannel();
  #later: (() => void)[] = [];
  #whenQuiet: (() => void)[] = [];
  /** Then that work is done although events go on. */
  #quietByMs = 0;
  #isRunning = false;
  /** Node's loop has work. */
  #isNodeDue = false;
  #quietRounds = 0;
  /** Messages of its own that Node's loop handles in this round. */
  #messages = 0;
  #eventsHandled = 0;
  #pauseMs = (): number => 0;

  constructor() {
    this.#wake.port1.on("message", () => undefined);
    this.#wake.port1.unref();
    // Stays registered for the thread's life.
    this.#reactor.add(this.#node.fd, epollEvents.readable, {
      ready: () => {
        this.#isNodeDue = true;
      },
    });
  }

  /** Registered descriptors. */
  get size(): number {
    return this.#reactor.size - 1;
  }

  get turns(): number {
    return this.#reactor.turns;
  }

  /** As `Reactor.isHandling`. */
  get isHandling(): boolean {
    return this.#reactor.isHandling;
  }

  /** As `Reactor.add`. @throws SystemCallError */
  add(fd: number, events: number, handler: EventHandler, key = 0): Slot {
    const slot = this.#reactor.add(fd, events, handler, key);
    this.#start();
    return slot;
  }

  /** As `Reactor.change`. */
  change(slot: Slot, fd: number, events: number): void {
    this.#reactor.change(slot, fd, events);
  }

  /** As `Reactor.remove`. */
  remove(slot: Slot): void {
    this.#reactor.remove(slot);
  }

  /** As `Reactor.detach`. */
  detach(slot: Slot, fd: number): void {
    this.#reactor.detach(slot, fd);
  }

  /** As `Reactor.afterEvents`. */
  afterEvents(callback: () => void): void {
    this.#reactor.afterEvents(callback);
  }

  /** Calls back once the events of this turn are handled. */
  later(callback: () => void): void {
    this.#later.push(callback);
    this.#start();
  }

  /**
   * Calls back once no event is there any more, after a millisecond at the latest: for work that costs
   * less when it is done for several events together.
   */
  whenQuiet(callback: () => void): void {
    if (this.#whenQuiet.push(callback) === 1) this.#quietByMs = performance.now() + unquietMs;
    this.#start();
  }

  /** @param pauseMs asked before each wait: for so many milliseconds events gather, and wake no one */
  pauseBeforeWaits(pauseMs: () => number): void {
    this.#pauseMs = pauseMs;
  }

  /**
   * To be called by code of an event that has used promises or other means of Node's: they go on after
   * this turn.
   */
  wakeNode(): void {
    this.#isNodeDue = true;
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#wake.port1.ref();
    this.#runAfterNode(false);
  }

  /**
   * After one round of Node's loop, whose events and callbacks are handled by then. The loop announces
   * no time of its next timer to an immediate that it hurries for. So before a wait it is a message
   * that makes it hurry, which costs more.
   */
  #runAfterNode(isBeforeWait: boolean): void {
    const immediate = setImmediate(this.#run);
    this.#messages = isBeforeWait ? 1 : 0;
    if (!isBeforeWait) return;
    immediate.unref();
    this.#wake.port2.postMessage(null);
  }

  readonly #run = (): void => {
    try {
      this.#countQuietRounds();
      this.#turns(this.#messages > 0 && this.#quietRounds >= quietRounds);
    } finally {
      this.#isRunning = this.size > 0 || this.#later.length + this.#whenQuiet.length > 0;
      if (this.#isRunning) this.#runAfterNode(this.#quietRounds >= quietRounds - 1);
      else this.#wake.port1.unref();
    }
  };

  #countQuietRounds(): void {
    const handled = this.#node.eventsHandled();
    const isQuiet = handled - this.#eventsHandled <= this.#messages;
    this.#quietRounds = isQuiet ? this.#quietRounds + 1 : 0;
    this.#eventsHandled = handled;
  }

  #turns(mayWait: boolean): void {
    this.#isNodeDue = false;
    this.#runLater();
    const lookAtMs = performance.now() + unlookedMs;
    for (let turn = 0; !this.#isNodeDue; turn++) {
      // Time stands still for Node's timers while this thread does not wait.
      const isClockDue = turn > 0 && turn % unlookedTurns === 0;
      if (isClockDue && (!mayWait || performance.now() >= lookAtMs)) break;
      const nodeMs = this.#node.timeoutMs();
      if (nodeMs === 0 && turn > 0 && mayWait) break;
      const holdsWork = this.#whenQuiet.length > 0;
      const waitMs = mayWait && !holdsWork ? waitTime(nodeMs) : 0;
      if (waitMs > 0) this.#pause(waitMs);
      const count = this.#reactor.turn(waitMs);
      if (waitMs > 0) this.#node.updateTime();
      this.#runLater();
      if (holdsWork && (count === 0 || performance.now() >= this.#quietByMs)) this.#runWhenQuiet();
      else if (count === 0) break;
    }
    if (mayWait) this.#quietRounds = 0;
  }

  #pause(waitMs: number): void {
    const pauseMs = Math.min(this.#pauseMs(), waitMs);
    if (pauseMs > 0) Atomics.wait(pauseCell, 0, 0, pauseMs);
  }

  #runWhenQuiet(): void {
    const due = this.#whenQuiet;
    this.#whenQuiet = [];
    for (const callback of due) callback();
    this.#runLater();
  }

  #runLater(): void {
    while (this.#later.length > 0) {
      const due = this.#later;
      this.#later = [];
      for (const callback of due) callback();
    }
  }
}

function waitTime(nodeMs: number): number {
  return nodeMs < 0 ? waitMaxMs : Math.min(nodeMs, waitMaxMs);
}

let own: ThreadReactor | undefined;

/** The one of this thread. */
export function threadReactor(): ThreadReactor {
  return (own ??= new ThreadReactor());
}

/**
 * The clock for what happens in events of this thread: one reading for all events of a turn, which takes
 * milliseconds at most. A login alone would read it ten times.
 */
export function turnClock(readMs: () => number): () => number {
  const reactor = threadReactor();
  let turn = -1;
  let turnMs = 0;
  return () => {
    if (!reactor.isHandling) return readMs();
    if (turn !== reactor.turns) {
      turn = reactor.turns;
      turnMs = readMs();
    }
    return turnMs;
  };
}
