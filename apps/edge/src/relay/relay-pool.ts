import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { KeptPlayers, type PlayerRegister } from "./kept-players.ts";
import type { RelayHost, RelayOrder, RunningRelay } from "./relay-host.ts";
import { RelayLink } from "./relay-link.ts";
import { RelayProcess, type RelayProcessDeps } from "./relay-process.ts";
import { socketSuffix } from "./relay-socket.ts";

export interface RelayPoolDeps extends Pick<RelayProcessDeps, "fds" | "playersMax"> {
  readonly folder: string;
  readonly lifeline: number | undefined;
  readonly register: PlayerRegister;
  /** Takes players while no process can: their lives hang on this one's. */
  readonly otherwise: RelayHost;
  readonly log: Logger;
}

/** A process that has just been started and ended again is followed by another only after this. */
const restartMs = 1_000;
/** A relay process of an earlier front that does not answer within this is let be. */
const helloMs = 2_000;

/** Relay processes: one that takes players, others that are full, and those of earlier fronts. */
export class RelayPool implements RelayHost {
  readonly #deps: RelayPoolDeps;
  readonly #own = new Set<RelayProcess>();
  readonly #kept = new Map<RelayLink, KeptPlayers>();
  #current: RelayProcess | undefined;
  #restart: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: RelayPoolDeps) {
    this.#deps = deps;
  }

  /** Processes of this front's own. */
  get pids(): number[] {
    return [...this.#own].flatMap(({ pid }) => pid ?? []);
  }

  /** Whether the next player is relayed by a process of its own. */
  get takesPlayers(): boolean {
    return this.#current?.takesPlayers === true;
  }

  /** Players of earlier fronts who are still there. */
  get keptPlayers(): number {
    let players = 0;
    for (const kept of this.#kept.values()) players += kept.size;
    return players;
  }

  /** Finds the processes of earlier fronts and their players. Never throws for what is there. */
  async adopt(): Promise<void> {
    const own = new Set(this.pids.map((pid) => `${pid}${socketSuffix}`));
    const names = namesIn(this.#deps.folder).filter((name) => !own.has(name));
    await Promise.all(names.map((name) => this.#adoptOne(name)));
    if (this.keptPlayers > 0) {
      this.#deps.log.info({ players: this.keptPlayers }, "players of an earlier start play on");
    }
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

  stop(): void {
    this.#halt();
    this.#deps.otherwise.stop();
    for (const process of this.#own) process.end();
    for (const link of this.#kept.keys()) link.send({ kind: "end" });
  }

  /** Leaves the processes to themselves, each with its players, for another front to find. */
  async leave(): Promise<void> {
    this.#halt();
    await Promise.all([...this.#own].map((process) => process.leave()));
    for (const link of this.#kept.keys()) link.close();
  }

  #halt(): void {
    this.#isStopped = true;
    clearTimeout(this.#restart);
  }

  #startProcess(): RelayProcess {
    const { folder, lifeline, playersMax, fds, register, log } = this.#deps;
    const startedAtMs = performance.now();
    const process = new RelayProcess({
      folder,
      lifeline,
      playersMax,
      fds,
      meter: (shield) => register.meter(shield),
      onEnd: () => {
        this.#own.delete(process);
        if (this.#isStopped) return;
        log.error({ relay: process.pid }, "a relay process has ended, and its players with it");
        if (this.#current !== process) return;
        this.#current = undefined;
        const isQuick = performance.now() - startedAtMs < restartMs;
        this.#restart = setTimeout(() => this.#startProcess(), isQuick ? restartMs : 0);
      },
    });
    this.#own.add(process);
    this.#current = process;
    return process;
  }

  async #adoptOne(name: string): Promise<void> {
    const { folder, register } = this.#deps;
    const kept = new KeptPlayers(register);
    const heard = Promise.withResolvers<void>();
    let hasSpoken = false;
    const link = new RelayLink(folder, name, {
      onNews: (news) => {
        hasSpoken = true;
        kept.hear(news);
        heard.resolve();
      },
      onEnd: () => {
        // Nobody listens there any more.
        if (!hasSpoken) rmSync(join(folder, name), { force: true });
        this.#kept.delete(link);
        kept.end();
        heard.resolve();
      },
    });
    this.#kept.set(link, kept);
    const cap = setTimeout(heard.resolve, helloMs);
    await heard.promise;
    clearTimeout(cap);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(socketSuffix));
  } catch {
    // Nobody has started a relay process here so far.
    return [];
  }
}
