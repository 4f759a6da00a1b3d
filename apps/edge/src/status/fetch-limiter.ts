/** Fetches under way at once, all shields together; of backends that failed last, apart. */
const soundMax = 256;
const failingMax = 32;
/** Fetches of one shield at once, so that one with many backends leaves room for the others. */
const shieldMax = 32;
/** Fetches that wait for their turn, in each of these lines. */
const waitingMax = 256;

/** Limits running fetches: all of them, those of failing backends, and those of each shield. */
export class FetchLimiter {
  readonly #sound = new Lane(soundMax);
  readonly #failing = new Lane(failingMax);
  /** Shields with running fetches. */
  readonly #shields = new Map<string, Lane>();

  underWay(shieldId: string): number {
    return this.#shields.get(shieldId)?.taken ?? 0;
  }

  /** Whether a fetch would have to wait. */
  isFull(shieldId: string, isFailing: boolean): boolean {
    return this.#laneOf(isFailing).isFull || this.#shields.get(shieldId)?.isFull === true;
  }

  /** Does the work at once or when it is its turn; undefined, undone, where too many wait. */
  async inTurn<T>(
    shieldId: string,
    isFailing: boolean,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const own = this.#shields.get(shieldId) ?? new Lane(shieldMax);
    this.#shields.set(shieldId, own);
    if (!own.take() && !(await own.wait())) return undefined;
    const all = this.#laneOf(isFailing);
    const isAllowed = all.take() || (await all.wait());
    try {
      return isAllowed ? await work() : undefined;
    } finally {
      if (isAllowed) all.give();
      own.give();
      if (own.taken === 0) this.#shields.delete(shieldId);
    }
  }

  #laneOf(isFailing: boolean): Lane {
    return isFailing ? this.#failing : this.#sound;
  }
}

/** A limited number of fetches at a time; later ones wait in a queue, which is bounded too. */
class Lane {
  readonly #atOnceMax: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.#atOnceMax;
  }

  /** A turn that is free now. */
  take(): boolean {
    if (this.isFull) return false;
    this.#taken++;
    return true;
  }

  /** A turn once it is free; false if the line is full. */
  wait(): Promise<boolean> {
    if (this.#waiting.length >= waitingMax) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push(() => resolve(true));
    return promise;
  }

  /** Ends a turn: it is the next one's in the line. */
  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}
