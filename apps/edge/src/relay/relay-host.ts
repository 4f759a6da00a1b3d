import { closeDescriptor } from "@palisade/sockets/descriptors";
import type { EdgeLimits } from "#src/admission/limits.ts";
import type { Connection } from "@palisade/sockets/tcp-connection";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { CounterRegistry } from "#src/telemetry/counter-registry.ts";
import type { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import type { RateOf } from "./bandwidth-share.ts";

/** Counts the bytes that a relay has moved. */
export interface RelayMeter {
  /** Bytes from the player to the backend. */
  bytesUp: number;
  bytesDown: number;
}

/** Events of a relayed player. Each is sent at most once, `onClosed` last and always. */
export interface RelayEvents {
  /** The backend has sent something. */
  onAnswered(): void;
  /** The player has sent more than the bytes they were handed over with. */
  onSpoke(): void;
  /** The backend has closed without sending a byte to a player who was still connected. */
  onHungUp(): void;
  /** Both connections are gone. */
  onClosed(): void;
}

/** The player and the backend; another edge needs it to go on counting. */
export interface RelayIds {
  readonly shield: string;
  readonly backend: string;
  /** Of `sourceKey`. */
  readonly source: string;
  /** The connection counts towards a limit of its shield. */
  readonly isUnparsed: boolean;
}

export interface RelayOrder {
  readonly player: Connection;
  /** Nothing was read of it that the player has not got. */
  readonly backend: Connection;
  /** PROXY header, or nothing: goes to the backend first, and is no traffic of the player's. */
  readonly header: Buffer;
  /** Every byte the player was heard to send: goes to the backend next. */
  readonly head: Buffer;
  readonly ids: RelayIds;
  readonly meter: RelayMeter;
  readonly events: RelayEvents;
}

export interface RunningRelay {
  /** Ends both sides without waiting for either; `onClosed` follows. */
  destroy(): void;
}

export interface EndDescriptors {
  readonly player: number;
  readonly backend: number;
}

/** All bytes of the player that the backend gets first; taken from the connection. */
export function headOf({ head, player }: RelayOrder): Buffer {
  const more = player.takeBack();
  return more.length === 0 ? head : Buffer.concat([head, more]);
}

/**
 * Takes the descriptors out of an order's connections; undefined if one is gone, and then the other
 * one as well.
 */
export function releaseBoth({ player, backend }: RelayOrder): EndDescriptors | undefined {
  const playerFd = player.release();
  const backendFd = backend.release();
  if (playerFd !== undefined && backendFd !== undefined) {
    return { player: playerFd, backend: backendFd };
  }
  if (playerFd !== undefined) closeDescriptor(playerFd);
  if (backendFd !== undefined) {
    closeDescriptor(backendFd);
    backend.freed();
  }
  return undefined;
}

/**
 * Forwards the bytes of admitted players. Bytes written to the connections before `take` are in the
 * kernel; from then on both belong to the host.
 */
export interface RelayHost {
  take(order: RelayOrder): RunningRelay;
  /** Ends every player; some hosts need a moment for it. */
  stop(): void | Promise<void>;
}

/**
 * Players by their id. The map itself holds only numbers: when V8 rebuilds the table of a map from which
 * each entry is removed again, the old table keeps its entries, and by its link to the new one all later
 * entries too, until the next full collection.
 */
export class PlayerTable<Player> {
  readonly #places = new Map<number, number>();
  readonly #players: (Player | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.size;
  }

  get(id: number): Player | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#players[place];
  }

  add(id: number, player: Player): void {
    const place = this.#free.pop() ?? this.#players.length;
    this.#players[place] = player;
    this.#places.set(id, place);
  }

  remove(id: number): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#players[place] = undefined;
    this.#free.push(place);
  }

  ids(): IterableIterator<number> {
    return this.#places.keys();
  }

  *[Symbol.iterator](): Generator<Player> {
    for (const player of this.#players) if (player !== undefined) yield player;
  }
}

/** The shields that a relay has players of. */
export interface RelayedShields {
  readonly counters: Pick<CounterRegistry, "ofShield" | "retire">;
  readonly shields: { find(shieldId: string): CompiledShield | undefined };
}

/** The counters of a shield; one that was removed has them until all is reported. */
export function countersOf(
  shieldId: string,
  { counters, shields }: RelayedShields,
): ShieldCounters {
  const known = shields.find(shieldId)?.counters;
  if (known !== undefined) return known;
  const shieldCounters = counters.ofShield(shieldId);
  counters.retire(shieldId);
  return shieldCounters;
}

/** The counters of a shield's bytes. */
export function shieldMeter(shieldId: string, shields: RelayedShields): RelayMeter {
  const shieldCounters = countersOf(shieldId, shields);
  // Bytes of a player who has left wake it, too.
  shieldCounters.players += 0;
  return shieldCounters;
}

/**
 * The bandwidth of a shield that is left to some of its players: their part of all that it has on
 * this edge. Undefined for a shield that is not here any more.
 *
 * @param limits for shields whose plans say nothing
 */
export function shareRates(
  { shields }: Pick<RelayedShields, "shields">,
  limits: Pick<EdgeLimits, "bytesPerSecondPerShield">,
): RateOf {
  return (shieldId, players) => {
    const shield = shields.find(shieldId);
    if (shield === undefined) return undefined;
    const all = Math.max(players, shield.counters.load.joined);
    const rate = shield.shares.bytesPerSecond ?? limits.bytesPerSecondPerShield;
    return Math.ceil((rate * players) / Math.max(1, all));
  };
}

/** Counts of the relay processes that an edge has started. */
export interface RelayCounts {
  /** By process. */
  readonly players: readonly number[];
  /** Players that the edge relays itself because no process could take them. */
  readonly byWorkers: number;
  /** Processes that have ended, and taken their players with them. */
  readonly lost: number;
  /** Players who were lost on their way to a process. */
  readonly failed: number;
}

export const noRelays: RelayCounts = { players: [], byWorkers: 0, lost: 0, failed: 0 };

export function addRelayCounts(a: RelayCounts, b: RelayCounts): RelayCounts {
  return {
    players: [...a.players, ...b.players],
    byWorkers: a.byWorkers + b.byWorkers,
    lost: a.lost + b.lost,
    failed: a.failed + b.failed,
  };
}

/**
 * From when on a backend has the dial's deadline to send its first byte: `head`: from the start,
 * because it gets a login then; `spoken`: from the player's first byte, because no game says which
 * end begins; `given`: it has answered already.
 */
export type FirstAnswer = "head" | "spoken" | "given";

export function firstAnswerOf(isUnparsed: boolean, head: Uint8Array): FirstAnswer {
  if (isUnparsed) return "spoken";
  return head.length > 0 ? "head" : "given";
}
