import type { Logger } from "pino";
import type { PlayerRegister } from "./kept-players.ts";
import type { RelayFigures } from "./relay-figures.ts";
import type { RelayHost, RelayOrder, RunningRelay } from "./relay-host.ts";
import { RelayProcess, type RelayProcessDeps } from "./relay-process.ts";

export interface RelayPoolDeps extends Pick<RelayProcessDeps, "fds" | "playersMax"> {
  readonly folder: string;
  readonly lifeline: number | undefined;
  readonly meter: PlayerRegister["meter"];
  /** Takes players while no process can: their lives hang on this one's. */
  readonly otherwise: RelayHost & { readonly size: number };
  /** Told of every change of `pids`, before anything can come of it. */
  readonly onPids?: (pids: readonly number[]) => void;
  readonly log: Logger;
}

/** A process that has just been started and ended again is followed by another only after this. */
const restartMs = 1_000;
/** Processes that are told to end get this long. */
const endMs = 1_000;

/** Relay processes of a front's own: one that takes players, and others that are full. */
export class RelayPool implements RelayHost {
  readonly #deps: RelayPoolDeps;
  readonly #own = new Set<RelayProcess>();
  #current: RelayProcess | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isStopped = false;
  #allEnded: (() => void) | undefined;
  #lost = 0;
  #failed = 0;

  constructor(deps: RelayPoolDeps) {
    this.#deps = deps;
  }

  get pids(): number[] {
    return [...this.#own].flatMap(({ pid }) => pid ?? []);
  }

  get figures(): RelayFigures {
    return {
      players: [...this.#own].map(({ players }) => players),
      byFront: this.#deps.otherwise.size,
      lost: this.#lost,
      failed: this.#failed,
    };
  }

  /** Whether the next player is relayed by a process of its own. */
  get takesPlayers(): boolean {
    return this.#current?.takesPlayers === true;
  }

  /** Resolves once players are taken by a process of their own, or that process has failed. */
  async start(): Promise<void> {
    await this.#startProcess().ready;
  }

  take(order: RelayOrder): RunningRelay {
    const process = this.#current;
    if (process?.isFull === true) void this.#startProcess();
    if (process === undefined || !this.takesPlayers) return this.#deps.otherwise.take(order);
    return process.take(order);
  }

  /** Ends every player. Resolves once their last bytes are counted, or that takes too long. */
  async stop(): Promise<void> {
    this.#halt();
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
  }

  /** Leaves the processes to themselves, each with its players, for another front to find. */
  async leave(): Promise<void> {
    this.#halt();
    await Promise.all([...this.#own].map((process) => process.leave()));
  }

  #halt(): void {
    this.#isStopped = true;
    clearTimeout(this.#restart);
  }

  #startProcess(): RelayProcess {
    const { folder, lifeline, playersMax, fds, meter, log } = this.#deps;
    const startedAtMs = performance.now();
    const process = new RelayProcess({
      folder,
      lifeline,
      playersMax,
      fds,
      meter,
      onFailure: () => void this.#failed++,
      onEnd: (error) => {
        this.#own.delete(process);
        if (this.#own.size === 0) this.#allEnded?.();
        if (this.#isStopped) return;
        this.#lost++;
        this.#deps.onPids?.(this.pids);
        log.error(
          { err: error, relay: process.pid },
          "a relay process has ended, and its players with it",
        );
        if (this.#current !== process) return;
        this.#current = undefined;
        const isQuick = performance.now() - startedAtMs < restartMs;
        this.#restart = setTimeout(() => this.#startProcess(), isQuick ? restartMs : 0);
      },
    });
    this.#own.add(process);
    this.#current = process;
    this.#deps.onPids?.(this.pids);
    return process;
  }
}
