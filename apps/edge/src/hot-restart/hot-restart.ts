import type { Logger } from "#src/ports.ts";

/**
 * The states of an edge. A hot restart takes the running edge from `serving` over `predecessor` to
 * `draining`, and beside it the next one from `successor` to `serving`:
 *
 * - `successor`: accepts players beside its predecessor, once it is ready.
 * - `serving`: the only edge.
 * - `predecessor`: has released what only one edge can have, and accepts players until its successor
 *   is ready.
 * - `draining`: accepts no more, and ends once the connections it has are decided.
 */
export type HotRestartState = "successor" | "serving" | "predecessor" | "draining";

export interface HotRestartSteps {
  /** Whether the program on disk can be loaded and understands the settings. */
  isSuccessorSound(): Promise<boolean>;
  /** Releases what only one edge can have. */
  becomePredecessor(): Promise<void>;
  /** Asks the command that runs this edge for the successor; undefined without one. */
  readonly askForSuccessor: (() => void) | undefined;
  /** Ends this edge. Players stay; connections on their way here are decided first if it has a successor. */
  drain(hasSuccessor: boolean): void;
  /** The predecessor is gone: takes over its players. */
  takeOver(): Promise<void>;
}

/** No successor within this time is worth a line in the log. */
const successorMs = 60_000;

/** One edge's part in a hot restart. A word that does not fit the state is ignored. */
export class HotRestart {
  readonly #steps: HotRestartSteps;
  readonly #log: Logger;
  #state: HotRestartState;
  #isChecking = false;

  constructor(steps: HotRestartSteps, isSuccessor: boolean, log: Logger) {
    this.#steps = steps;
    this.#log = log;
    this.#state = isSuccessor ? "successor" : "serving";
  }

  get state(): HotRestartState {
    return this.#state;
  }

  /** An operator asks for a hot restart. */
  async request(): Promise<void> {
    const { askForSuccessor } = this.#steps;
    if (askForSuccessor === undefined) {
      this.#drain(false);
      return;
    }
    if (this.#state === "predecessor" || this.#state === "draining" || this.#isChecking) return;
    this.#isChecking = true;
    const isSound = await this.#steps.isSuccessorSound().catch(() => false);
    this.#isChecking = false;
    if (this.#hasEnded()) return;
    if (isSound) await this.#becomePredecessor(askForSuccessor);
    else this.#log.error("the next edge would not start; this one has not handed over");
  }

  /** The command says that the predecessor has ended. */
  async takeOver(): Promise<void> {
    if (this.#state !== "successor") return;
    this.#state = "serving";
    await this.#steps.takeOver();
  }

  /** The command says that the successor accepts players. */
  drain(): void {
    if (this.#state === "predecessor") this.#drain(true);
  }

  /** The edge stops for another reason. */
  stop(): void {
    this.#state = "draining";
  }

  #hasEnded(): boolean {
    return this.#state === "draining";
  }

  async #becomePredecessor(askForSuccessor: () => void): Promise<void> {
    this.#state = "predecessor";
    this.#log.info("handing over");
    const late = (): void => this.#log.error("no other edge takes over; this one stays");
    setTimeout(late, successorMs).unref();
    await this.#steps.becomePredecessor().catch((error: unknown) => {
      this.#log.error({ err: error }, "not everything was left to the next edge in order");
    });
    if (!this.#hasEnded()) askForSuccessor();
  }

  #drain(hasSuccessor: boolean): void {
    if (this.#hasEnded()) return;
    this.#state = "draining";
    this.#steps.drain(hasSuccessor);
  }
}
