import { allocateHeld, closeDescriptor, closeHeld, handOver } from "@palisade/sockets/descriptors";
import { Worker } from "node:worker_threads";
import type { HeldSession } from "#src/bedrock/session-record.ts";
import type { WatchedSocket } from "#src/admission/watched-socket.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./thread-messages.ts";
import { enlargeYoungGenerations, threadHeapMb } from "./thread-resources.ts";

/** A thread with a worker in it. */
export interface Thread {
  post(message: ToWorker): void;
  terminate(): Promise<unknown>;
}

export interface ThreadEvents {
  readonly onMessage: (message: FromWorker) => void;
  readonly onError: (error: unknown) => void;
  /** Called once, after everything else. */
  readonly onExit: () => void;
}

export type StartThread = (start: WorkerStart, events: ThreadEvents) => Thread;

/**
 * @param threads how many there are, which share the memory
 * @param program of the thread, replaced in tests
 */
export function threadStarter(
  threads: number,
  program = new URL("worker-main.ts", import.meta.url),
): StartThread {
  return (start, { onMessage, onError, onExit }) => {
    enlargeYoungGenerations();
    const worker = new Worker(program, {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: threadHeapMb(threads) },
      name: `front-${start.index}`,
    });
    // `worker-main.ts` sends nothing else.
    worker.on("message", (message) => onMessage(message as FromWorker));
    worker.on("error", onError);
    worker.once("exit", onExit);
    return {
      post: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
    };
  };
}

export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** The thread has ended, for any reason; called once. */
  readonly onExit: (error: unknown) => void;
}

/** One thread that takes players, as the main thread sees it. */
export class WorkerThread {
  readonly index: number;
  readonly #thread: Thread;
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
    startThread: StartThread,
    { onMessage, onExit }: WorkerEvents,
  ) {
    this.index = start.index;
    const descriptors = allocateHeld(start.options.openFilesMax);
    this.#listening.promise.catch(() => undefined);
    const onEnd = (): void => {
      closeHeld(descriptors);
      this.#hasEnded = true;
      for (const { resolve } of this.#unwatched.values()) resolve();
      this.#prepared.resolve();
      this.#fed.resolve();
      this.#stopped.resolve();
      this.#listening.reject(new Error("a thread that takes players has ended", this.#cause()));
      onExit(this.#error);
    };
    this.#thread = startThread(
      { ...start, descriptors },
      {
        onMessage: (message) => {
          this.#hear(message);
          onMessage(message);
        },
        onError: (error) => (this.#error = error),
        onExit: onEnd,
      },
    );
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
    this.#thread.post(message);
  }

  /** Accepts on these sockets; once for its life. @throws if the thread cannot or has ended */
  listen(sockets: readonly WatchedSocket[]): Promise<void> {
    if (!this.#isAsked) this.post({ kind: "listen", sockets });
    this.#isAsked = true;
    return this.#listening.promise;
  }

  /**
   * Continues Bedrock players of another edge, or of the thread that it replaces.
   *
   * @param sessions whose descriptors belong to the calling thread until now
   */
  adopt(sessions: readonly HeldSession[]): void {
    if (sessions.length === 0) return;
    for (const { fd } of sessions) {
      if (this.#hasEnded) closeDescriptor(fd);
      else handOver(fd);
    }
    if (!this.#hasEnded) this.post({ kind: "sessions", sessions });
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
    await this.#thread.terminate();
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
