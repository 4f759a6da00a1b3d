import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Admission } from "#src/admission/admission.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import type { HealthRegistry } from "#src/health/health-registry.ts";
import type { Logger } from "#src/ports.ts";
import { backendsOf } from "#src/shields/shield-registry.ts";
import { ProcessShares, type RateOf, type ShareRate } from "./bandwidth-share.ts";
import {
  addMoved,
  adoptedProtocols,
  ControlClient,
  hungTicks,
  NotUnderstood,
  type RelayedPlayerState,
  type RelayMessage,
  socketName,
  socketSuffix,
} from "./control-channel.ts";
import {
  countersOf,
  type RelayedShields,
  type RelayMeter,
  shareRates,
  shieldMeter,
} from "./relay-host.ts";

/** How an edge counts players that an earlier one has let in. */
export interface PlayerRegister {
  /** @returns to be called when the player has left */
  adopt(player: RelayedPlayerState["ids"]): () => void;
  /** The shield's counters, for bytes that are reported now. */
  meter(shield: string): RelayMeter;
  /** Bandwidth of shields. */
  readonly rateOf: RateOf;
}

export interface PlayerRegisterDeps extends RelayedShields {
  readonly limits: Pick<EdgeLimits, "bytesPerSecondPerShield">;
  readonly admission: Admission;
  readonly health: Pick<HealthRegistry, "playersChanged">;
}

/** Counts players of an earlier edge where those let in by this one are counted. */
export function createPlayerRegister(deps: PlayerRegisterDeps): PlayerRegister {
  const { shields, admission, health } = deps;
  return {
    meter: (shieldId) => shieldMeter(shieldId, deps),
    rateOf: shareRates(deps, deps.limits),
    adopt(ids) {
      const shieldCounters = countersOf(ids.shield, deps);
      const source = admission.adopt(ids.source);
      const groups = shields.find(ids.shield)?.groups ?? [];
      const backend = backendsOf(groups).find(({ id }) => id === ids.backend);
      const count = (players: 1 | -1): void => {
        shieldCounters.players += players;
        if (backend === undefined) return;
        if (players > 0) backend.load.joined();
        else backend.load.left();
        health.playersChanged(backend);
      };
      count(1);
      const { load } = shieldCounters;
      load.tryTakePlace(Number.POSITIVE_INFINITY);
      load.countJoined(1);
      if (ids.isUnparsed) load.tryEnter(Number.POSITIVE_INFINITY);
      return () => {
        count(-1);
        load.leavePlace();
        load.countJoined(-1);
        if (ids.isUnparsed) load.left();
        admission.disown(source);
      };
    },
  };
}

export interface AdoptedRelaysDeps {
  /** Folder in which relay processes listen for edges. */
  readonly folder: string;
  readonly register: PlayerRegister;
  readonly log: Logger;
}

/** A relay process that does not answer within this time is left alone. */
const helloMs = 2_000;

/** Relay processes whose edges are gone, with the players these have let in. */
export class AdoptedRelays {
  readonly #deps: AdoptedRelaysDeps;
  readonly #adopted = new Map<ControlClient, AdoptedPlayers>();
  /**
   * Processes that were left alone because they are of another release: their players are connected
   * but not counted.
   */
  notUnderstood = 0;

  constructor(deps: AdoptedRelaysDeps) {
    this.#deps = deps;
  }

  get players(): number {
    let players = 0;
    for (const { size } of this.#adopted.values()) players += size;
    return players;
  }

  /** Processes that are there. */
  get size(): number {
    return this.#adopted.size;
  }

  /**
   * Finds the processes of earlier edges and their players. Never throws for anything it finds
   * there.
   *
   * @param taken pids of processes that an edge is already connected to: a second connection would
   *   replace the first
   */
  async adoptAll(taken: readonly number[]): Promise<void> {
    await this.adopt(pidsIn(this.#deps.folder).filter((pid) => !taken.includes(pid)));
  }

  /** Relay processes of an edge that is gone now. */
  async adopt(pids: readonly number[]): Promise<void> {
    await Promise.all(pids.map((pid) => this.#adoptOne(pid)));
    const { players } = this;
    if (players > 0) this.#deps.log.info({ players }, "players of an earlier front play on");
  }

  /**
   * Once a second: a process that hangs forwards no bytes, and does not notice that it is to end.
   */
  tick(): void {
    for (const [link, players] of this.#adopted) {
      const rates = players.shareChanges();
      if (rates.length > 0) link.send({ kind: "shares", rates });
      if (++link.silentLooks < hungTicks) continue;
      this.#deps.log.error({ relay: link.pid }, "a relay process hangs");
      link.kill();
    }
  }

  /** Ends every player. */
  end(): void {
    for (const link of this.#adopted.keys()) link.send({ kind: "end" });
  }

  /** Leaves them to themselves again. Resolves once all their news are counted. */
  async leave(): Promise<void> {
    await Promise.all([...this.#adopted.keys()].map((link) => link.close()));
  }

  async #adoptOne(pid: number): Promise<void> {
    const { folder, register, log } = this.#deps;
    const players = new AdoptedPlayers(register);
    const heard = Promise.withResolvers<void>();
    const link = new ControlClient(folder, pid, {
      protocols: adoptedProtocols,
      onMessage: (message) => {
        players.hear(message);
        heard.resolve();
      },
      onEnd: (error) => {
        if (isNobody(error)) rmSync(join(folder, socketName(pid)), { force: true });
        if (error instanceof NotUnderstood) {
          this.notUnderstood++;
          log.warn({ err: error, relay: pid }, "a relay process is let be: it is not understood");
        }
        this.#adopted.delete(link);
        players.end();
        heard.resolve();
      },
    });
    this.#adopted.set(link, players);
    const cap = setTimeout(heard.resolve, helloMs);
    await heard.promise;
    clearTimeout(cap);
  }
}

/** The process that listened there has ended without a message. */
function isNobody(error: Error | undefined): boolean {
  return error !== undefined && "code" in error && error.code === "ECONNREFUSED";
}

function pidsIn(folder: string): number[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(socketSuffix));
    return names.map((name) => Number.parseInt(name, 10)).filter((pid) => pid > 0);
  } catch {
    // No relay process was started here so far.
    return [];
  }
}

/** The players of a relay process that has outlived its edge, as the next one counts them. */
class AdoptedPlayers {
  readonly #register: PlayerRegister;
  readonly #leave = new Map<number, () => void>();
  readonly #shares = new ProcessShares();

  constructor(register: PlayerRegister) {
    this.#register = register;
  }

  get size(): number {
    return this.#leave.size;
  }

  hear(message: RelayMessage): void {
    if (message.kind === "hello") {
      for (const { id, ids } of message.players) this.#adopt(id, ids);
    } else if (message.kind === "moved")
      addMoved(message, (shield) => this.#register.meter(shield));
    else if (message.kind === "players")
      for (const id of message.events.closed ?? []) this.#closed(id);
    else if (message.kind === "closed") this.#closed(message.id);
  }

  /** The rates that the process has to be told now. */
  shareChanges(): ShareRate[] {
    return this.#shares.changes(this.#register.rateOf);
  }

  #adopt(id: number, ids: RelayedPlayerState["ids"]): void {
    const leave = this.#register.adopt(ids);
    this.#shares.entered(ids.shield);
    this.#leave.set(id, () => {
      this.#shares.left(ids.shield);
      leave();
    });
  }

  #closed(id: number): void {
    this.#leave.get(id)?.();
    this.#leave.delete(id);
  }

  /** The process has gone, and they with it. */
  end(): void {
    for (const leave of this.#leave.values()) leave();
    this.#leave.clear();
  }
}
