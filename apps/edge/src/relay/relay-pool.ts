import type { Logger } from "#src/ports.ts";
import type { RelayCounts, RelayHost, RelayOrder, RunningRelay } from "./relay-host.ts";
import { PlayerSender } from "./player-channel.ts";
import { RelayProcess, type RelayProcessDeps } from "./relay-process.ts";

export interface RelayPoolDeps extends Pick<
  RelayProcessDeps,
  "fds" | "playersMax" | "meter" | "rateOf"
> {
  readonly folder: string;
  readonly lifeline: number | undefined;
  /** Relays players while no process can: they are disconnected when this process ends. */
  readonly otherwise: RelayHost & { readonly size: number };
  /** Called with every change of `pids`, before it has any effect. */
  readonly onPids?: (pids: readonly number[]) => void;
  /** While none takes players but one will soon, they wait for it so long. */
  readonly waitMs?: number;
  readonly log: Logger;
}

/** A process that ends sooner than this is replaced after a pause that grows. */
const steadyMs = 10_000;
const pauseMinMs = 250;
const pauseMaxMs = 30_000;
/** With less than this part of a process's room left another is started. */
const roomLow = 0.1;
/**
 * A process without players is not needed while the others have this part of a process's room free.
 */
const roomAmple = 0.5;
/** How long, and how many, players wait for a process that is starting. */
const waitMsUsually = 3_000;
const waitingMax = 256;
/** How long processes get to end. */
const endMs = 1_000;

/** Relay processes of an edge's own: as many as its players need. */
export class RelayPool implements RelayHost {
  readonly #deps: RelayPoolDeps;
  readonly #waitMs: number;
  /** In the order in which they fill. */
  readonly #own = new Set<RelayProcess>();
  readonly #waiting = new Map<WaitingRelay, NodeJS.Timeout>();
  #restart: NodeJS.Timeout | undefined;
  #pauseMs = 0;
  #isStopped = false;
  #allEnded: (() => void) | undefined;
  #lost = 0;
  #failed = 0;

  constructor(deps: RelayPoolDeps) {
    this.#deps = deps;
    this.#waitMs = deps.waitMs ?? waitMsUsually;
  }

  get pids(): number[] {
    return [...this.#own].flatMap(({ pid }) => pid ?? []);
  }

  get counts(): RelayCounts {
    return {
      players: [...this.#own].map(({ players }) => players),
      byWorkers: this.#deps.otherwise.size,
      lost: this.#lost,
      failed: this.#failed,
    };
  }

  /** Whether the next player is relayed by a process of its own. */
  get takesPlayers(): boolean {
    return this.#taker !== undefined;
  }

  /** Resolves once players are taken by a process of their own, or that process has failed. */
  async start(): Promise<void> {
    await this.#startProcess()?.ready;
  }

  take(order: RelayOrder): RunningRelay {
    const relay = this.#taker?.take(order);
    this.#provide();
    if (relay !== undefined) return relay;
    const mayWait = this.#willSoonTake && this.#waiting.size < waitingMax;
    return mayWait ? this.#wait(order) : this.#deps.otherwise.take(order);
  }

  /** Ends every player. Resolves once their last bytes are counted, or that takes too long. */
  async stop(): Promise<void> {
    this.#halt();
    for (const relay of this.#waiting.keys()) this.#place(relay, this.#deps.otherwise);
    void this.#deps.otherwise.stop();
    const ended = Promise.withResolvers<void>();
    this.#allEnded = ended.resolve;
    for (const process of this.#own) process.end();
    if (this.#own.size === 0) return;
    const cap = setTimeout(ended.resolve, endMs);
    await ended.promise;
    clearTimeout(cap);
    for (const process of this.#own) process.kill();
  }

  /** Once a second. */
  tick(): void {
    for (const process of this.#own) {
      if (!process.look()) continue;
      this.#deps.log.error({ relay: process.pid }, "a relay process hangs");
      process.kill();
    }
    this.#provide();
    this.#letGo();
  }

  /** Leaves the processes to themselves, each with its players, for another edge to find. */
  async leave(): Promise<void> {
    this.#halt();
    this.#placeWaiting();
    while (this.#waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await Promise.all([...this.#own].map((process) => process.leave()));
  }

  get #taker(): RelayProcess | undefined {
    for (const process of this.#own) if (process.room > 0) return process;
    return undefined;
  }

  get #isStarting(): boolean {
    for (const process of this.#own) if (process.isStarting) return true;
    return false;
  }

  get #willSoonTake(): boolean {
    return this.#isStarting || (this.#restart !== undefined && this.#pauseMs < this.#waitMs);
  }

  #wait(order: RelayOrder): RunningRelay {
    const relay = new WaitingRelay(order);
    const place = (): void => this.#place(relay, this.#taker ?? this.#deps.otherwise);
    this.#waiting.set(relay, setTimeout(place, this.#waitMs));
    return relay;
  }

  #place(relay: WaitingRelay, host: Pick<RelayHost, "take">): void {
    clearTimeout(this.#waiting.get(relay));
    this.#waiting.delete(relay);
    relay.start(host);
  }

  /** A process has become ready, or has failed to. */
  #placeWaiting(): void {
    for (const relay of this.#waiting.keys()) {
      this.#provide();
      const taker = this.#taker;
      if (taker === undefined && this.#willSoonTake) return;
      this.#place(relay, taker ?? this.#deps.otherwise);
    }
    this.#provide();
  }

  /** Another is started before the room of those that are there is used up. */
  #provide(): void {
    if (this.#isStopped || this.#restart !== undefined || this.#isStarting) return;
    if (this.#roomOf(this.#own) < roomLow * this.#deps.playersMax) this.#startProcess();
  }

  /** A process without players ends by itself while the others have ample room. */
  #letGo(): void {
    const process = [...this.#own].findLast(({ room, players }) => room > 0 && players === 0);
    if (process === undefined) return;
    const others = [...this.#own].filter((other) => other !== process);
    if (this.#roomOf(others) < roomAmple * this.#deps.playersMax) return;
    this.#own.delete(process);
    this.#deps.onPids?.(this.pids);
    void process.leave();
  }

  #roomOf(processes: Iterable<RelayProcess>): number {
    let sum = 0;
    for (const { room } of processes) sum += room;
    return sum;
  }

  #halt(): void {
    this.#isStopped = true;
    clearTimeout(this.#restart);
    this.#restart = undefined;
  }

  /** @returns undefined if this process could open no channel to it; it is tried again later */
  #startProcess(): RelayProcess | undefined {
    const { folder, lifeline, playersMax, fds, meter, rateOf } = this.#deps;
    const startedAtMs = performance.now();
    let sender: PlayerSender;
    try {
      sender = new PlayerSender();
    } catch (error) {
      this.#deps.log.error({ err: error }, "a relay process cannot be started");
      this.#pause();
      return undefined;
    }
    const process = new RelayProcess({
      sender,
      folder,
      lifeline,
      playersMax,
      fds,
      meter,
      rateOf,
      onFailure: () => void this.#failed++,
      onEnd: (error) => this.#ended(process, error, performance.now() - startedAtMs),
    });
    this.#own.add(process);
    this.#deps.onPids?.(this.pids);
    void process.ready.then(() => this.#placeWaiting());
    return process;
  }

  #ended(process: RelayProcess, error: Error | undefined, livedMs: number): void {
    // A process that was told to end is no loss.
    if (!this.#own.delete(process)) return;
    if (this.#own.size === 0) this.#allEnded?.();
    if (this.#isStopped) return;
    this.#lost++;
    this.#deps.onPids?.(this.pids);
    this.#deps.log.error(
      { err: error, relay: process.pid },
      "a relay process has ended, and its players with it",
    );
    if (livedMs >= steadyMs) this.#pauseMs = 0;
    else this.#pause();
    this.#provide();
  }

  /** A process that fails right after its start is not started again and again. */
  #pause(): void {
    this.#pauseMs = Math.min(pauseMaxMs, Math.max(pauseMinMs, 2 * this.#pauseMs));
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.#provide();
    }, this.#pauseMs);
  }
}

/** A player who waits for a host: no bytes of the player or the backend are read. */
class WaitingRelay implements RunningRelay {
  readonly #order: RelayOrder;
  #relay: RunningRelay | undefined;

  constructor(order: RelayOrder) {
    this.#order = order;
    order.player.pause();
    order.backend.pause();
  }

  /** Once. */
  start(host: Pick<RelayHost, "take">): void {
    const { player, backend, events } = this.#order;
    if (!player.isGone && !backend.isGone) {
      this.#relay = host.take(this.#order);
      return;
    }
    this.#destroyBoth();
    events.onClosed();
  }

  destroy(): void {
    if (this.#relay === undefined) this.#destroyBoth();
    else this.#relay.destroy();
  }

  #destroyBoth(): void {
    this.#order.player.destroy();
    this.#order.backend.destroy();
  }
}
