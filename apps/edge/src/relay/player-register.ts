import type { HealthRegistry } from "#src/health/health-registry.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import type { Admission } from "#src/admission/admission.ts";
import { type ShieldRegistry, backendsOf } from "#src/shields/shield-registry.ts";
import type { CounterRegistry } from "#src/telemetry/counter-registry.ts";
import type { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { ProcessShares, type RateOf, type ShareRate } from "./bandwidth-share.ts";
import type { RelayedPlayerState, RelayMessage } from "./control-channel.ts";
import type { RelayMeter } from "./relay-host.ts";

export interface PlayerRegisterDeps {
  readonly counters: CounterRegistry;
  readonly shields: Pick<ShieldRegistry, "find">;
  /** For shields whose plans say nothing. */
  readonly limits: Pick<EdgeLimits, "bytesPerSecondPerShield">;
  readonly admission: Admission;
  readonly health: Pick<HealthRegistry, "playersChanged">;
}

type Counting = Pick<PlayerRegisterDeps, "counters"> & {
  readonly shields: { find(shieldId: string): object | undefined };
};

function countersOf(shieldId: string, { counters, shields }: Counting): ShieldCounters {
  const shieldCounters = counters.ofShield(shieldId);
  // The shield may have been removed since: then its counters are dropped once all is reported.
  if (shields.find(shieldId) === undefined) counters.retire(shieldId);
  return shieldCounters;
}

/** The counters of a shield's bytes. */
export function shieldMeter(shieldId: string, counting: Counting): RelayMeter {
  const shieldCounters = countersOf(shieldId, counting);
  // Bytes of a player who has left wake it, too.
  shieldCounters.players += 0;
  return shieldCounters;
}

/**
 * The bandwidth of a shield that is left to some of its players: their part of all that it has on
 * this edge. Undefined for a shield that is not here any more.
 */
export function shareRates({
  shields,
  limits,
}: Pick<PlayerRegisterDeps, "shields" | "limits">): RateOf {
  return (shieldId, players) => {
    const shield = shields.find(shieldId);
    if (shield === undefined) return undefined;
    const all = Math.max(players, shield.counters.load.joined);
    const rate = shield.shares.bytesPerSecond ?? limits.bytesPerSecondPerShield;
    return Math.ceil((rate * players) / Math.max(1, all));
  };
}

/** Counts players of an earlier edge where those let in by this one are counted. */
export function createPlayerRegister(deps: PlayerRegisterDeps): PlayerRegister {
  const { shields, admission, health } = deps;
  return {
    meter: (shieldId) => shieldMeter(shieldId, deps),
    rateOf: shareRates(deps),
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

/** How an edge counts players that an earlier one has let in. */
export interface PlayerRegister {
  /** @returns to be called when the player has left */
  adopt(player: RelayedPlayerState["ids"]): () => void;
  /** The shield's counters, for bytes that are reported now. */
  meter(shield: string): RelayMeter;
  /** Bandwidth of shields. */
  readonly rateOf: RateOf;
}

/** The players of a relay process that has outlived its edge, as the next one counts them. */
export class AdoptedPlayers {
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

export function addMoved(
  { moved }: Extract<RelayMessage, { kind: "moved" }>,
  meterOf: (shield: string) => RelayMeter,
): void {
  for (const [shield, up, down] of moved) {
    const meter = meterOf(shield);
    meter.bytesUp += up;
    meter.bytesDown += down;
  }
}
