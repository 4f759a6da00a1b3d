import { addMinuteCounters, type MinuteCounters } from "@palisade/contract/edge/plain-values";

export interface MinuteBuffer {
  /** Adds counters; counters of the same shield and minute are summed. */
  add(minutes: readonly MinuteCounters[]): void;
  /** Takes up to `max` entries whose minute began before `beforeMs`, oldest first. */
  take(max: number, beforeMs: number): MinuteCounters[];
  /** Whether `take` would return any. */
  has(beforeMs: number): boolean;
  size(): number;
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

  function put(target: Map<string, MinuteCounters>, key: string, counters: MinuteCounters): void {
    const present = target.get(key);
    target.set(key, present === undefined ? counters : addMinuteCounters(present, counters));
  }

  function fold(): void {
    const perShield = new Map<string, MinuteCounters>();
    for (const counters of oldestFirst(entries)) put(perShield, counters.shield_id, counters);
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
    take(max, beforeMs) {
      const taken = oldestFirst(entries)
        .filter((counters) => isBefore(counters, beforeMs))
        .slice(0, max);
      for (const counters of taken) entries.delete(keyOf(counters));
      return taken;
    },
    size: () => entries.size,
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
  return [...entries.values()].sort((a, b) => Date.parse(a.minute) - Date.parse(b.minute));
}
