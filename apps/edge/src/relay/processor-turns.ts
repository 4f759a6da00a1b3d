import { setRealTime, setTimeSlice } from "@palisade/sockets/scheduling";

/** The shortest that the kernel gives; a turn of the relay is mostly shorter. */
const turnMs = 0.1;
/**
 * Shares of one core. Beside a flooded worker a relay in turns has at most three quarters, which must
 * not count as calm.
 */
const busy = 0.9;
const calm = 0.7;
/** The shares of this time count, later ones more: packets that come all at once are no load. */
const averageMs = 500;

export interface ProcessorTurnsOptions {
  readonly nowMs: () => number;
  /** Processor time of this process up to now, microseconds. */
  readonly usedMicroseconds: () => number;
  /** @returns false if it is not permitted */
  readonly setRealTime: (isRealTime: boolean) => boolean;
  readonly setTimeSlice: (ms: number) => unknown;
}

const ofThisThread: ProcessorTurnsOptions = {
  nowMs: () => performance.now(),
  usedMicroseconds: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  setRealTime,
  setTimeSlice,
};

/**
 * How soon the calling thread gets the processor when a packet has come. If permitted, it goes before
 * every other program: otherwise the kernel would let a flooded worker finish its turn of some
 * milliseconds first. While it uses most of a core, such as for downloads, it takes turns with the
 * others again, or workers would stand still. If not permitted, it asks for short turns, which wait
 * less than long ones.
 */
export class ProcessorTurns {
  readonly #options: ProcessorTurnsOptions;
  #isRealTime: boolean;
  readonly #isPermitted: boolean;
  #lastMs: number;
  #lastUsed: number;
  #share = 0;

  constructor(options = ofThisThread) {
    this.#options = options;
    this.#lastMs = options.nowMs();
    this.#lastUsed = options.usedMicroseconds();
    this.#isPermitted = this.#isRealTime = options.setRealTime(true);
    if (!this.#isPermitted) options.setTimeSlice(turnMs);
  }

  /** To be called twice a second or more often. */
  check(): void {
    if (!this.#isPermitted) return;
    const nowMs = this.#options.nowMs();
    const used = this.#options.usedMicroseconds();
    const passedMs = nowMs - this.#lastMs;
    const share = (used - this.#lastUsed) / 1_000 / passedMs;
    this.#share += (share - this.#share) * Math.min(1, passedMs / averageMs);
    this.#lastMs = nowMs;
    this.#lastUsed = used;
    if (this.#isRealTime ? this.#share > busy : this.#share < calm) this.#change();
  }

  #change(): void {
    const wanted = !this.#isRealTime;
    if (!this.#options.setRealTime(wanted)) return;
    this.#isRealTime = wanted;
    if (!wanted) this.#options.setTimeSlice(turnMs);
  }
}
