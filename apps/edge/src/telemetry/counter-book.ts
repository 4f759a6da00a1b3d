import {
  addMinuteCounters,
  addRefusals,
  type LiveGauge,
  type MinuteCounters,
  type Refusals,
} from "@palisade/contract/edge/telemetry";
import type { CounterDrain, CounterSource } from "#src/ports.ts";
import { SharedLoads } from "#src/routing/shared-loads.ts";
import { ShieldTally, type TallyPart } from "./shield-tally.ts";

/** Entries of one report, as the contract has it. */
const reportEntriesMax = 10_000;
/** Sealed minutes kept while nobody fetches them; the oldest go first. */
const sealedMinutesMax = 100_000;

/** Of all shields since the start of the program. */
export type EdgeTotals = Pick<
  MinuteCounters,
  "joins" | "pings" | "status_hits" | "refused" | "shadowed" | "challenged" | "verified"
>;

/** The counters of all shields, by minute. */
export class CounterBook implements CounterSource {
  readonly #loads: SharedLoads;
  readonly #tallies = new Map<string, ShieldTally>();
  /** Those that count just now: a hundred thousand that rest cost nothing. */
  readonly #awake = new Set<ShieldTally>();
  readonly #retired = new Set<string>();
  /** By thread: players of each shield, as it has told them last. */
  readonly #told = new Map<number, Map<string, number>>();
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

  tally(shieldId: string): ShieldTally {
    this.#retired.delete(shieldId);
    const known = this.#tallies.get(shieldId);
    if (known !== undefined) return known;
    const tally = new ShieldTally(shieldId, (woken) => this.#awake.add(woken), this.#loads);
    this.#tallies.set(shieldId, tally);
    return tally;
  }

  /** The shield is gone; its counters go when its players have left and all was fetched. */
  retire(shieldId: string): void {
    this.#retired.add(shieldId);
  }

  /** Once a second. */
  tick(nowMs: number): void {
    this.#second++;
    for (const tally of this.#awake) tally.tick(this.#second);
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
    return { minutes, live: this.#live() };
  }

  restore(minutes: readonly MinuteCounters[]): void {
    for (const counters of minutes) this.#add(counters);
  }

  /** Once a second, in a thread that tells another of what it has counted. */
  takeParts(): TallyPart[] {
    const parts: TallyPart[] = [];
    for (const tally of this.#awake) {
      const part = tally.takePart();
      if (part !== undefined) parts.push(part);
      if (tally.restAfterTakes()) this.#awake.delete(tally);
    }
    this.#forgetRetired((tally) => !this.#awake.has(tally));
    return parts;
  }

  /** Takes over what another thread has counted. */
  addParts(thread: number, parts: readonly TallyPart[]): void {
    const told = this.#told.get(thread) ?? new Map<string, number>();
    this.#told.set(thread, told);
    for (const part of parts) {
      this.#tallyOfAny(part.shieldId).addPart(part, told.get(part.shieldId) ?? 0);
      if (part.players > 0) told.set(part.shieldId, part.players);
      else told.delete(part.shieldId);
    }
  }

  /** That thread is gone: its players are nobody's until they are adopted. */
  forgetThread(thread: number): void {
    for (const [shieldId, players] of this.#told.get(thread) ?? []) {
      this.#tallyOfAny(shieldId).players -= players;
    }
    this.#told.delete(thread);
  }

  /** Players of all shields. */
  get players(): number {
    let players = 0;
    for (const tally of this.#awake) players += tally.players;
    return players;
  }

  get totals(): EdgeTotals {
    this.#sealAll();
    return this.#totals;
  }

  #live(): LiveGauge[] {
    const live: LiveGauge[] = [];
    for (const tally of this.#awake) {
      if (live.length === reportEntriesMax) break;
      const gauge = {
        shield_id: tally.shieldId,
        players: tally.players,
        connections_per_second: tally.loginsPerSecond,
        bandwidth_bps: tally.bandwidthBps,
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

  #forgetRetired(mayGo: (tally: ShieldTally) => boolean): void {
    for (const shieldId of this.#retired) {
      const tally = this.#tallies.get(shieldId);
      if (tally !== undefined && !mayGo(tally)) continue;
      this.#tallies.delete(shieldId);
      this.#retired.delete(shieldId);
    }
  }

  /** Also of a shield that is gone here: then it goes once all is told. */
  #tallyOfAny(shieldId: string): ShieldTally {
    const known = this.#tallies.get(shieldId);
    if (known !== undefined) return known;
    const tally = this.tally(shieldId);
    this.retire(shieldId);
    return tally;
  }

  #sealAll(): void {
    for (const tally of this.#awake) {
      const counters = tally.seal(this.#minute);
      if (counters !== undefined) {
        this.#add(counters);
        this.#totals = addTotals(this.#totals, counters);
      }
      if (tally.rest()) this.#awake.delete(tally);
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
