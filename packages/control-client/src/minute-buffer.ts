import { addMinuteCounters, type MinuteCounters } from "@palisade/contract/edge/plain-values";

const minuteMs = 60_000;

/** An hour of 2,000 shields with players; only an outage fills it. */
export const minutesKeptMax = 120_000;

export interface MinuteBuffer {
  /** Adds counters; counters of the same shield and minute are summed. */
  add(minutes: readonly MinuteCounters[]): void;
  /**
   * Takes up to `max` entries whose minute began before `beforeMs`, oldest first: no more than fit into
   * `bytesMax` of JSON, but at least one.
   */
  take(max: number, beforeMs: number, bytesMax?: number): MinuteCounters[];
  /** Whether `take` would return any. */
  has(beforeMs: number): boolean;
  size(): number;
  /** Start of the oldest minute that waits. */
  oldestMs(): number | undefined;
  /** Start of the first minute whose entries are all of it: those before were summed up or dropped. */
  exactFromMs(): number;
  /** Entries dropped because more shields than the bound were waiting. */
  dropped(): number;
}

/**
 * A bounded buffer of counters that wait to be reported. When it is full (a long outage of the control
 * plane), the minutes of each shield are summed into its oldest one: billing stays exact, only the
 * time becomes coarse. Entries are dropped only when there are more shields than the bound.
 */
export function createMinuteBuffer(entriesMax: number): MinuteBuffer {
  let entries = new Map<string, MinuteCounters>();
  let dropped = 0;
  let exactFrom = 0;

  function put(target: Map<string, MinuteCounters>, key: string, counters: MinuteCounters): void {
    const present = target.get(key);
    target.set(key, present === undefined ? counters : addMinuteCounters(present, counters));
  }

  function fold(): void {
    const perShield = new Map<string, MinuteCounters>();
    for (const counters of oldestFirst(entries)) put(perShield, counters.shield_id, counters);
    for (const { minute } of entries.values()) {
      exactFrom = Math.max(exactFrom, Date.parse(minute) + minuteMs);
    }
    const kept = [...perShield.values()];
    const excess = Math.max(0, kept.length - entriesMax);
    dropped += excess;
    entries = new Map(kept.slice(excess).map((counters) => [keyOf(counters), counters]));
  }

  return {
    add(minutes) {
      for (const counters of minutes) put(entries, keyOf(counters), counters);
      if (entries.size > entriesMax) fold();
    },
    has: (beforeMs) => [...entries.values()].some((counters) => isBefore(counters, beforeMs)),
    take(max, beforeMs, bytesMax = Number.POSITIVE_INFINITY) {
      const taken: MinuteCounters[] = [];
      let bytes = 0;
      for (const counters of oldestFirst(entries)) {
        if (taken.length === max || !isBefore(counters, beforeMs)) break;
        bytes += JSON.stringify(counters).length;
        if (bytes > bytesMax && taken.length > 0) break;
        taken.push(counters);
      }
      for (const counters of taken) entries.delete(keyOf(counters));
      return taken;
    },
    size: () => entries.size,
    oldestMs() {
      let oldest: string | undefined;
      for (const { minute } of entries.values()) {
        if (oldest === undefined || minute < oldest) oldest = minute;
      }
      return oldest === undefined ? undefined : Date.parse(oldest);
    },
    exactFromMs: () => exactFrom,
    dropped: () => dropped,
  };
}

function isBefore(counters: MinuteCounters, beforeMs: number): boolean {
  return Date.parse(counters.minute) < beforeMs;
}

function keyOf(counters: MinuteCounters): string {
  return `${counters.shield_id} ${counters.minute}`;
}

function oldestFirst(entries: ReadonlyMap<string, MinuteCounters>): MinuteCounters[] {
  // All minutes are written alike, so that their order is that of their texts.
  return [...entries.values()].sort((a, b) =>
    a.minute < b.minute ? -1 : Number(a.minute > b.minute),
  );
}
