import type { MinuteCounters, MinuteDetails } from "@palisade/contract/edge/plain-values";
import { addMinuteCounters } from "@palisade/contract/edge/plain-values";
import type { CopyValue } from "#src/platform/database/copy.ts";

/** Far above any real minute of one shield; keeps the sums of a hostile edge within bigint. */
const countMax = 1_000_000_000_000;

/** Older minutes are dropped. Reports are remembered for longer, so none is ever counted twice. */
export const minuteAgeHoursMax = 48;
const minuteAgeMsMax = minuteAgeHoursMax * 3_600_000;
/** Allows for the clock of the edge. */
const minuteAheadMsMax = 300_000;

/** A row of `telemetry_minutes` without its edge. */
export interface MinuteRow {
  readonly startMs: number;
  readonly values: readonly CopyValue[];
}

export const minuteRowColumns = [
  "shield_id",
  "start",
  "joins",
  "pings",
  "status_hits",
  "refused",
  "challenged",
  "verified",
  "bytes_up",
  "bytes_down",
  "player_seconds",
  "players_max",
  "bedrock_joins",
  "bedrock_player_seconds",
  "attack_bytes",
  "connections_max",
  "checks",
  "checks_up",
  "latency_ms",
  "reasons",
  "tops",
  "sketch",
] as const;

/** One row for each served shield and plausible minute. */
export function minuteRows(
  minutes: readonly MinuteCounters[],
  served: ReadonlySet<string>,
  now: Date,
): MinuteRow[] {
  const sums = new Map<string, MinuteCounters & { startMs: number }>();
  for (const counters of minutes) {
    const at = Date.parse(counters.minute);
    const startMs = at - (at % 60_000);
    const ageMs = now.getTime() - startMs;
    if (!served.has(counters.shield_id) || ageMs > minuteAgeMsMax || ageMs < -minuteAheadMsMax) {
      continue;
    }
    const key = `${counters.shield_id} ${startMs}`;
    const known = sums.get(key);
    const sum = known === undefined ? counters : addMinuteCounters(known, counters);
    sums.set(key, { ...sum, startMs });
  }
  return [...sums.values()].map(rowOf);
}

function rowOf(counters: MinuteCounters & { startMs: number }): MinuteRow {
  const { startMs, refused, shadowed, details } = counters;
  const start = new Date(startMs).toISOString();
  const values = [
    counters.shield_id,
    start,
    counted(counters.joins),
    counted(counters.pings),
    counted(counters.status_hits),
    counted(blockedOf(refused)),
    counted(counters.challenged),
    counted(counters.verified),
    counted(counters.bytes_up),
    counted(counters.bytes_down),
    counted(counters.player_seconds),
    counted(counters.players_max),
    counted(counters.bedrock?.joins ?? 0),
    counted(counters.bedrock?.player_seconds ?? 0),
    ...detailValues(details),
    jsonOf([
      ...prefixed("r:", refused),
      ...prefixed("s:", shadowed),
      ...prefixed("w:", counters.would_challenge ?? {}),
    ]),
    jsonOf(details?.tops ?? []),
    sketchOf(details?.sketch ?? []),
  ];
  return { startMs, values };
}

function detailValues(details: MinuteDetails | undefined): CopyValue[] {
  return [
    counted(details?.attack_bytes ?? 0),
    counted(details?.connections_max ?? 0),
    counted(details?.checks ?? 0),
    counted(details?.checks_up ?? 0),
    counted(details?.latency_ms ?? 0),
  ];
}

/** Null stands for 0 and takes no space. */
function counted(count: number): number | null {
  return count === 0 ? null : Math.min(count, countMax);
}

/** A join that found no backend was not blocked; its reason is counted separately. */
function blockedOf(refused: MinuteCounters["refused"]): number {
  const blocked = Object.entries(refused).filter(([reason]) => reason !== "offline");
  return blocked.reduce((sum, [, count]) => sum + count, 0);
}

function prefixed(
  prefix: string,
  counts: Readonly<Partial<Record<string, number>>>,
): [string, number][] {
  return Object.entries(counts).map(([key, count = 0]) => [prefix + key, count]);
}

function jsonOf(counts: readonly (readonly [string, number])[]): string | null {
  const found = counts.flatMap(([key, count]) =>
    count === 0 ? [] : [[key, Math.min(count, countMax)] as const],
  );
  return found.length === 0 ? null : JSON.stringify(Object.fromEntries(found));
}

/** Entries come as 0 to 65,535, and are kept as the signed numbers of the column. */
function sketchOf(entries: readonly number[]): string | null {
  if (entries.length === 0) return null;
  return `{${entries.map((entry) => entry - 32_768).join(",")}}`;
}
