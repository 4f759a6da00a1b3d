import { allocateHeld, closeHeld } from "@palisade/sockets/descriptors";
import { Worker } from "node:worker_threads";
import type { WatchedSocket } from "./port-listeners.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./thread-messages.ts";

const programUsually = new URL("worker-main.ts", import.meta.url);

export interface WorkerSetUp {
  readonly heapMb: number;
  /** The thread's program. */
  readonly program?: URL | undefined;
}

export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** The thread has ended, for any reason; called once. */
  readonly onExit: (error: unknown) => void;
}

/** One thread that takes players, as the main thread sees it. */
export class WorkerThread {
  readonly index: number;
  readonly #worker: Worker;
  readonly #prepared = Promise.withResolvers<void>();
  readonly #fed = Promise.withResolvers<void>();
  #whole: Iterator<ToWorker, number> | undefined;
  #isFed = false;
  #applied = 0;
  /** Resolves once it can take players, or is gone. */
  readonly prepared = Promise.all([this.#prepared.promise, this.#fed.promise]);
  readonly #stopped = Promise.withResolvers<void>();
  readonly #listening = Promise.withResolvers<void>();
  /** By descriptor: callers that wait until the thread does not use it any more. */
  readonly #unwatched = new Map<number, PromiseWithResolvers<void>>();
  #isAsked = false;
  #hasEnded = false;
  #error: unknown;
  /** Takes players. */
  isListening = false;
  appliedAtMs = 0;
  /** Process ids of its relays. */
  pids: readonly number[] = [];
  /** Checks of the main thread since its last message. */
  silentTicks = 0;
  readonly startedAtMs = performance.now();

  constructor(
    start: Omit<WorkerStart, "descriptors">,
    setUp: WorkerSetUp,
    { onMessage, onExit }: WorkerEvents,
  ) {
    this.index = start.index;
    const descriptors = allocateHeld(start.options.openFilesMax);
    const workerData: WorkerStart = { ...start, descriptors };
    this.#worker = new Worker(setUp.program ?? programUsually, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: setUp.heapMb },
      name: `front-${start.index}`,
    });
    this.#listening.promise.catch(() => undefined);
    this.#worker.on("message", (message) => {
      // `worker-main.ts` sends nothing else.
      this.#hear(message as FromWorker);
      onMessage(message as FromWorker);
    });
    this.#worker.on("error", (error) => (this.#error = error));
    this.#worker.once("exit", () => {
      closeHeld(descriptors);
      this.#hasEnded = true;
      for (const { resolve } of this.#unwatched.values()) resolve();
      this.#prepared.resolve();
      this.#fed.resolve();
      this.#stopped.resolve();
      this.#listening.reject(new Error("a thread that takes players has ended", this.#cause()));
      onExit(this.#error);
    });
  }

  /** The last change it has in service, with all before. */
  get applied(): number {
    return this.#isFed ? this.#applied : 0;
  }

  /** Resolves once no more messages come from it. */
  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  /**
   * Sends what it begins with. Each part waits until the shields before are in service: all of it at
   * once would be as much memory again.
   *
   * @param whole returns the number of the last change that is in it
   */
  feed(whole: Iterator<ToWorker, number>): void {
    this.#whole = whole;
    this.#feedNext(whole);
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Accepts on these sockets; once for its life. @throws if the thread cannot or has ended */
  listen(sockets: readonly WatchedSocket[]): Promise<void> {
    if (!this.#isAsked) this.post({ kind: "listen", sockets });
    this.#isAsked = true;
    return this.#listening.promise;
  }

  /** Accepts on one more socket, if it accepts at all. */
  watch(socket: WatchedSocket): void {
    if (this.#isAsked) this.post({ kind: "watch", socket });
  }

  /** Resolves once it does not use the descriptor any more, or has ended. */
  unwatch(fd: number): Promise<void> {
    if (!this.#isAsked || this.#hasEnded) return Promise.resolve();
    const unwatched = Promise.withResolvers<void>();
    this.#unwatched.set(fd, unwatched);
    this.post({ kind: "unwatch", fd });
    return unwatched.promise;
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #feedNext(whole: Iterator<ToWorker, number>): void {
    for (;;) {
      const { done, value } = whole.next();
      if (done === true) {
        // Later ones may have come between the parts.
        this.#applied = Math.max(this.#applied, value);
        this.#isFed = true;
        this.#fed.resolve();
        return;
      }
      this.post(value);
      if (value.kind === "changes") return;
    }
  }

  #cause(): ErrorOptions {
    return { cause: this.#error };
  }

  #hear(message: FromWorker): void {
    this.silentTicks = 0;
    if (message.kind === "prepared") this.#prepared.resolve();
    else if (message.kind === "listening") {
      this.isListening = true;
      this.#listening.resolve();
    } else if (message.kind === "refused") this.#listening.reject(message.error);
    else if (message.kind === "applied") {
      this.appliedAtMs = performance.now();
      if (message.number > 0) this.#applied = message.number;
      else if (this.#whole !== undefined) this.#feedNext(this.#whole);
    } else if (message.kind === "unwatched") {
      this.#unwatched.get(message.fd)?.resolve();
      this.#unwatched.delete(message.fd);
    } else if (message.kind === "relays") this.pids = message.pids;
    else if (message.kind === "stopped") this.#stopped.resolve();
  }
}
