import type { ServerOverview } from "@palisade/contract/http/servers";

const minuteMs = 60_000;
const minutes = 60;

export interface LastHour {
  readonly times: Date[];
  readonly players: number[];
  /** Per second. */
  readonly admitted: number[];
  /** Per second. */
  readonly refused: number[];
  /** Refused connections in the minute. */
  readonly refusedCount: number[];
  /** Bits per second. */
  readonly bandwidth: number[];
}

/**
 * The last sixty full minutes and the present. Minutes without telemetry had no traffic and count
 * as nothing, except the one just over: its telemetry may still be on the way. That one and the
 * present come from the live figures.
 */
export function lastHour(overview: ServerOverview, now: Date): LastHour {
  const thisMinute = Math.floor(now.getTime() / minuteMs);
  const byMinute = new Map(
    overview.history.map((entry) => [Math.floor(Date.parse(entry.minute) / minuteMs), entry]),
  );
  const present = byMinute.get(thisMinute);
  const elapsedSeconds = Math.max(1, (now.getTime() - thisMinute * minuteMs) / 1000);
  const live = {
    players: overview.players_online,
    admitted: overview.connections_per_second,
    refused: (present?.refused ?? 0) / elapsedSeconds,
    refusedCount: present?.refused ?? 0,
    bandwidth: overview.bandwidth_bps,
  };
  const past = Array.from({ length: minutes }, (_, index) => {
    const minute = thisMinute - minutes + index;
    const entry = byMinute.get(minute);
    return entry === undefined && minute === thisMinute - 1 ? live : ratesOf(entry);
  });
  const all = [...past, live];
  return {
    times: [...past.map((_, index) => new Date((thisMinute - minutes + index) * minuteMs)), now],
    players: all.map(({ players }) => players),
    admitted: all.map(({ admitted }) => admitted),
    refused: all.map(({ refused }) => refused),
    refusedCount: all.map(({ refusedCount }) => refusedCount),
    bandwidth: all.map((point) => point.bandwidth),
  };
}

function ratesOf(entry: ServerOverview["history"][number] | undefined) {
  return {
    players: entry?.players ?? 0,
    admitted: (entry?.joins ?? 0) / 60,
    refused: (entry?.refused ?? 0) / 60,
    refusedCount: entry?.refused ?? 0,
    bandwidth: ((entry?.bytes ?? 0) * 8) / 60,
  };
}

/** Share of the month's traffic in per cent, capped at 100; null without a limit. */
export function usedPercent(usedBytes: number, limitBytes: number | null): number | null {
  if (limitBytes === null || limitBytes <= 0) return null;
  return Math.min(100, (usedBytes / limitBytes) * 100);
}
