import {
  addSparedChecks,
  addMinuteCounters,
  addRefusals,
  type MinuteCounters,
  type Refusals,
} from "@palisade/contract/edge/plain-values";
import type { LiveGauge } from "@palisade/contract/edge/telemetry";
import type { CounterDrain, CounterSource } from "#src/ports.ts";
import { SharedLoads } from "#src/routing/shared-loads.ts";
import type { PlaceLookup, PlayerJoin } from "./minute-details.ts";
import { type PlayersTold, ShieldCounters, type ShieldCountersPart } from "./shield-counters.ts";

/** Entries of one report, as the contract has it. */
const reportEntriesMax = 10_000;
/** Sealed minutes kept while the control plane is away; the oldest are dropped first. */
const sealedMinutesMax = 100_000;

const noPlayers: PlayersTold = { players: 0, bedrockPlayers: 0 };

/** Totals of all shields since the start of the program. */
export type EdgeTotals = Pick<
  MinuteCounters,
  | "joins"
  | "pings"
  | "status_hits"
  | "refused"
  | "shadowed"
  | "would_challenge"
  | "challenged"
  | "verified"
>;

/** The counters of all shields, by minute. */
export class CounterRegistry implements CounterSource {
  readonly #loads: SharedLoads;
  readonly #byShield = new Map<string, ShieldCounters>();
  /** Shields with something to count; a hundred thousand idle ones cost nothing. */
  readonly #awake = new Set<ShieldCounters>();
  readonly #retired = new Set<string>();
  /** By thread: players of each shield in its last report. */
  readonly #told = new Map<number, Map<string, PlayersTold>>();
  /** By shield and minute, oldest first. */
  readonly #sealed = new Map<string, MinuteCounters>();
  #minute: string;
  #second = 0;
  #totals: EdgeTotals = {
    joins: 0,
    pings: 0,
    status_hits: 0,
    refused: {},
    shadowed: {},
    challenged: 0,
    verified: 0,
  };

  /** @param loads counted by all threads */
  constructor(nowMs: number, loads = SharedLoads.alone()) {
    this.#minute = minuteOf(nowMs);
    this.#loads = loads;
  }

  ofShield(shieldId: string): ShieldCounters {
    this.#retired.delete(shieldId);
    const known = this.#byShield.get(shieldId);
    if (known !== undefined) return known;
    const shield = new ShieldCounters(shieldId, (woken) => this.#awake.add(woken), this.#loads);
    this.#byShield.set(shieldId, shield);
    return shield;
  }

  /**
   * The shield is gone; its counters are dropped once its players have left and all was fetched.
   */
  retire(shieldId: string): void {
    this.#retired.add(shieldId);
  }

  /** Once a second. */
  tick(nowMs: number): void {
    this.#second++;
    for (const shield of this.#awake) shield.tick(this.#second);
    if (minuteOf(nowMs) !== this.#minute) this.#turnMinute(nowMs);
  }

  drain(nowMs: number): CounterDrain {
    this.#turnMinute(nowMs);
    const minutes: MinuteCounters[] = [];
    for (const [key, counters] of this.#sealed) {
      if (minutes.length === reportEntriesMax) break;
      minutes.push(counters);
      this.#sealed.delete(key);
    }
    return { minutes, live: this.live() };
  }

  restore(minutes: readonly MinuteCounters[]): void {
    for (const counters of minutes) this.#add(counters);
  }

  /** Runs once a second in a worker, which passes its counts to the main thread. */
  takeParts(): ShieldCountersPart[] {
    const parts: ShieldCountersPart[] = [];
    for (const shield of this.#awake) {
      const part = shield.takePart();
      if (part !== undefined) parts.push(part);
      if (shield.restAfterTakes()) this.#awake.delete(shield);
    }
    this.#forgetRetired((shield) => !this.#awake.has(shield));
    return parts;
  }

  /** Adds the counts of another thread. */
  addParts(thread: number, parts: readonly ShieldCountersPart[]): void {
    const told = this.#told.get(thread) ?? new Map<string, PlayersTold>();
    this.#told.set(thread, told);
    for (const part of parts) {
      this.#countersOfAny(part.shieldId).addPart(part, told.get(part.shieldId) ?? noPlayers);
      const { players, bedrockPlayers } = part;
      if (players > 0) told.set(part.shieldId, { players, bedrockPlayers });
      else told.delete(part.shieldId);
    }
  }

  /** Counts what players joined with. */
  addJoins(joins: Iterable<PlayerJoin>, places: PlaceLookup): void {
    for (const join of joins) this.#countersOfAny(join.shieldId).details.countJoin(join, places);
  }

  /** A thread has ended: its players count again once they are adopted. */
  forgetThread(thread: number): void {
    for (const [shieldId, { players, bedrockPlayers }] of this.#told.get(thread) ?? []) {
      const counters = this.#countersOfAny(shieldId);
      counters.players -= players;
      counters.bedrockPlayers -= bedrockPlayers;
    }
    this.#told.delete(thread);
  }

  /** Players of all shields. */
  get players(): number {
    let players = 0;
    for (const shield of this.#awake) players += shield.players;
    return players;
  }

  get totals(): EdgeTotals {
    this.#sealAll();
    return this.#totals;
  }

  /** Current values of shields that have any. */
  live(): LiveGauge[] {
    const live: LiveGauge[] = [];
    for (const shield of this.#awake) {
      if (live.length === reportEntriesMax) break;
      const gauge = {
        shield_id: shield.shieldId,
        players: shield.players,
        connections_per_second: shield.loginsPerSecond,
        bandwidth_bps: shield.bandwidthBps,
      };
      if (gauge.players + gauge.connections_per_second + gauge.bandwidth_bps > 0) live.push(gauge);
    }
    return live;
  }

  #turnMinute(nowMs: number): void {
    this.#sealAll();
    this.#minute = minuteOf(nowMs);
    this.#forgetRetired(({ isIdle }) => isIdle);
  }

  #forgetRetired(mayGo: (shield: ShieldCounters) => boolean): void {
    for (const shieldId of this.#retired) {
      const shield = this.#byShield.get(shieldId);
      if (shield !== undefined && !mayGo(shield)) continue;
      this.#byShield.delete(shieldId);
      this.#retired.delete(shieldId);
    }
  }

  /** Also for a shield that is gone here: it is dropped once all is delivered. */
  #countersOfAny(shieldId: string): ShieldCounters {
    const known = this.#byShield.get(shieldId);
    if (known !== undefined) return known;
    const shield = this.ofShield(shieldId);
    this.retire(shieldId);
    return shield;
  }

  #sealAll(): void {
    for (const shield of this.#awake) {
      const counters = shield.seal(this.#minute);
      if (counters !== undefined) {
        this.#add(counters);
        this.#totals = addTotals(this.#totals, counters);
      }
      if (shield.rest()) this.#awake.delete(shield);
    }
  }

  #add(counters: MinuteCounters): void {
    const key = `${counters.shield_id} ${counters.minute}`;
    const known = this.#sealed.get(key);
    this.#sealed.set(key, known === undefined ? counters : addMinuteCounters(known, counters));
    if (this.#sealed.size <= sealedMinutesMax) return;
    for (const oldest of this.#sealed.keys()) {
      this.#sealed.delete(oldest);
      break;
    }
  }
}

function addTotals(a: EdgeTotals, b: EdgeTotals): EdgeTotals {
  return {
    joins: a.joins + b.joins,
    pings: a.pings + b.pings,
    status_hits: a.status_hits + b.status_hits,
    refused: isEmpty(b.refused) ? a.refused : addRefusals(a.refused, b.refused),
    shadowed: isEmpty(b.shadowed) ? a.shadowed : addRefusals(a.shadowed, b.shadowed),
    would_challenge:
      b.would_challenge === undefined
        ? a.would_challenge
        : addSparedChecks(a.would_challenge ?? {}, b.would_challenge),
    challenged: a.challenged + b.challenged,
    verified: a.verified + b.verified,
  };
}

function isEmpty(refused: Refusals): boolean {
  for (const _ in refused) return false;
  return true;
}

function minuteOf(nowMs: number): string {
  return new Date(Math.floor(nowMs / 60_000) * 60_000).toISOString();
}
