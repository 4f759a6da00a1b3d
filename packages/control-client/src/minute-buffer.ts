import { addMinuteCounters, type MinuteCounters } from "@palisade/contract/edge/telemetry";

export interface MinuteBuffer {
  /** Adds counters; those of the same shield and minute become one. */
  add(minutes: readonly MinuteCounters[]): void;
  /** Takes up to `max` entries whose minute began before `beforeMs`, oldest first. */
  take(max: number, beforeMs: number): MinuteCounters[];
  /** Whether `take` would find any. */
  has(beforeMs: number): boolean;
  size(): number;
  /** Entries given up because more shields than the bound were waiting. */
  dropped(): number;
}

/**
 * Counters waiting to be reported, bounded. When the bound is reached (the control plane is
 * away for long), a shield's minutes are folded into its oldest one: what is billed stays
 * exact and only the time gets coarse. Only past one entry per shield is anything dropped.
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
