import { EdgeGauges } from "#src/rules/shared/edge-gauges.ts";

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
