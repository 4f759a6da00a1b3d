import type { Logger } from "#src/ports.ts";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import type { HeldSession } from "#src/bedrock/session-record.ts";
import type { SocketWatchers } from "./group-ports.ts";
import type { WatchedSocket } from "#src/admission/watched-socket.ts";
import { ShieldBroadcast } from "./shield-broadcast.ts";
import type { Ending, FromWorker, ToWorker, WorkerStart } from "./thread-messages.ts";
import { type StartThread, WorkerThread } from "./worker-thread.ts";

export interface WorkerPoolDeps {
  readonly workers: number;
  readonly start: Omit<WorkerStart, "descriptors" | "index">;
  readonly startThread: StartThread;
  /** Messages that the pool passes on. */
  readonly onMessage: (worker: number, message: FromWorker) => void;
  /**
   * The worker is gone and its relay processes have no owner, before another worker gets its
   * number.
   */
  readonly onGone: (worker: number, pids: readonly number[]) => void;
  /**
   * The Bedrock players of a worker that has ended, for the one that replaces it.
   *
   * @param areLost they may have ended it: none is continued
   */
  readonly sessionsOf: (worker: number, areLost: boolean) => Promise<readonly HeldSession[]>;
  /** Messages that a new worker needs besides shields, after these. */
  readonly facts: () => Iterable<ToWorker>;
  readonly log: Logger;
}

/** A worker that ended sooner than this is followed by another after a pause that grows. */
const steadyMs = 10_000;
const pauseMinMs = 250;
const pauseMaxMs = 30_000;
/** A change counts as served without a worker that has taken none for so long. */
const servedMs = 2_000;
/** Checks, one a second, of a silent worker until it counts as hung. */
const silentTicksMax = 30;
/**
 * Time for workers to end, players and counts included: longer than a joining player takes to be
 * accepted, decided and handed to a relay process, one after the other; less than the edge has.
 */
const endMs = 7_000;

interface Wait extends PromiseWithResolvers<void> {
  readonly beganAtMs: number;
}

/** The threads that take players: all have the same shields, and accept on the same sockets. */
export class WorkerPool implements SocketWatchers {
  readonly #deps: WorkerPoolDeps;
  readonly #workers = new Map<number, WorkerThread>();
  readonly #sockets = new Map<number, WatchedSocket>();
  readonly #broadcast = new ShieldBroadcast((changes) => this.#postAll(changes));
  readonly #pauses = new Map<number, number>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  /** By the number of a change: callers that wait until it is in service. */
  readonly #waits = new Map<number, Wait>();
  #isListening = false;
  #isEnding = false;
  /** Workers that have ended by themselves, since the start of the program. */
  lost = 0;

  constructor(deps: WorkerPoolDeps) {
    this.#deps = deps;
  }

  /** Process ids of relays that a worker listens to. */
  get pids(): number[] {
    return [...this.#workers.values()].flatMap(({ pids }) => pids);
  }

  /** Workers that are there. */
  get threads(): readonly WorkerThread[] {
    return [...this.#workers.values()];
  }

  /** Begins with all of them. */
  start(): void {
    for (let index = 0; index < this.#deps.workers; index++) this.#start(index);
  }

  apply(config: ShieldConfig): void {
    this.#broadcast.apply(config);
  }

  remove(shieldId: string): void {
    this.#broadcast.remove(shieldId);
  }

  /** Sends the changes of shields that wait for the end of the turn. */
  flush(): void {
    this.#broadcast.flush();
  }

  /** To all, after the shields that were applied before. */
  post(message: ToWorker): void {
    this.flush();
    this.#postAll(message);
  }

  /** Resolves once every worker serves what was applied so far, or has had its time for it. */
  served(): Promise<void> {
    const { number } = this.#broadcast;
    const nowMs = performance.now();
    if (this.#isServed(number, nowMs)) return Promise.resolve();
    const wait = this.#waits.get(number) ?? { ...Promise.withResolvers(), beganAtMs: nowMs };
    this.#waits.set(number, wait);
    return wait.promise;
  }

  watch(socket: WatchedSocket): void {
    this.#sockets.set(socket.fd, socket);
    for (const worker of this.#workers.values()) worker.watch(socket);
  }

  async unwatch(fd: number): Promise<void> {
    this.#sockets.delete(fd);
    await Promise.all(this.threads.map((worker) => worker.unwatch(fd)));
  }

  /** Takes players on all workers. */
  async listen(): Promise<void> {
    await Promise.all(this.threads.map(({ prepared }) => prepared));
    this.#isListening = true;
    // Also a worker that has replaced another in between.
    await Promise.all(this.threads.map((worker) => this.#listen(worker)));
  }

  /** Once a second. */
  tick(): void {
    this.#lookAgain();
    for (const worker of this.#workers.values()) {
      if (++worker.silentTicks < silentTicksMax) continue;
      this.#deps.log.error({ worker: worker.index }, "a thread that takes players hangs");
      void worker.terminate();
    }
  }

  /** Ends all; what they have counted has arrived by then. */
  async end(ending: Ending): Promise<void> {
    this.#isEnding = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    const workers = [...this.#workers.values()];
    if (this.#isListening) {
      this.post(ending);
      let cap: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (cap = setTimeout(resolve, endMs)));
      await Promise.race([Promise.all(workers.map(({ stopped }) => stopped)), late]);
      clearTimeout(cap);
    }
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(index: number): void {
    const { start, log, startThread } = this.#deps;
    const worker = new WorkerThread({ ...start, index }, startThread, {
      onMessage: (message) => this.#hear(worker, message),
      onExit: (error) => {
        if (this.#isEnding) return;
        log.error({ err: error, worker: index }, "a thread that takes players has ended");
        this.#replace(worker);
      },
    });
    this.#workers.set(index, worker);
    worker.feed(this.#whole());
  }

  *#whole(): Generator<ToWorker, number> {
    const number = yield* this.#broadcast.whole();
    yield* this.#deps.facts();
    return number;
  }

  #replace(gone: WorkerThread): void {
    const { index } = gone;
    this.lost++;
    this.#workers.delete(index);
    this.#deps.onGone(index, gone.pids);
    this.#lookAgain();
    const isSteady = performance.now() - gone.startedAtMs >= steadyMs;
    const before = isSteady ? 0 : (this.#pauses.get(index) ?? 0);
    const pauseMs = Math.min(pauseMaxMs, Math.max(pauseMinMs, 2 * before));
    this.#pauses.set(index, pauseMs);
    // One that has just replaced another may have ended by what it got from it.
    const areLost = before > 0;
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      void this.#startAgain(index, areLost);
    }, pauseMs);
    this.#restarts.add(restart);
  }

  async #startAgain(index: number, areLost: boolean): Promise<void> {
    this.#start(index);
    const worker = this.#workers.get(index);
    await worker?.prepared;
    if (!this.#isListening || worker === undefined || this.#isEnding) return;
    try {
      const sessions = await this.#deps.sessionsOf(index, areLost);
      const listening = this.#listen(worker);
      // At once, because the datagrams that have waited for them come next.
      worker.adopt(sessions);
      await listening;
      this.#deps.log.info({ worker: index }, "a thread that takes players is back");
    } catch {
      // It has ended, or is ended now: either way another comes.
      await worker.terminate();
    }
  }

  #hear(worker: WorkerThread, message: FromWorker): void {
    if (message.kind === "applied") this.#lookAgain();
    else this.#deps.onMessage(worker.index, message);
  }

  #listen(worker: WorkerThread): Promise<void> {
    return worker.listen([...this.#sockets.values()]);
  }

  #postAll(message: ToWorker): void {
    for (const worker of this.#workers.values()) worker.post(message);
  }

  #isServed(number: number, beganAtMs: number): boolean {
    const listening = this.threads.filter(({ isListening }) => isListening);
    // A restarted worker serves no shields yet and has much to load.
    const serving = listening.length > 0 ? listening : this.threads;
    // Many changes take their time; a worker that hangs must not hold up the others' receipts.
    const sinceMs = performance.now() - servedMs;
    return serving.every(
      ({ applied, appliedAtMs }) =>
        applied >= number || Math.max(beganAtMs, appliedAtMs) <= sinceMs,
    );
  }

  #lookAgain(): void {
    for (const [number, { beganAtMs, resolve }] of this.#waits) {
      if (!this.#isServed(number, beganAtMs)) continue;
      this.#waits.delete(number);
      resolve();
    }
  }
}
