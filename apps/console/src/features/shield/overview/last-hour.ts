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
 * as nothing; the present comes from the live figures, since its minute is not over.
 */
export function lastHour(overview: ServerOverview, now: Date): LastHour {
  const thisMinute = Math.floor(now.getTime() / minuteMs) * minuteMs;
  const byMinute = new Map(
    overview.history.map((entry) => [Math.floor(Date.parse(entry.minute) / minuteMs), entry]),
  );
  const past = Array.from({ length: minutes }, (_, index) => {
    const at = thisMinute - (minutes - index) * minuteMs;
    return { at, entry: byMinute.get(at / minuteMs) };
  });
  const present = byMinute.get(thisMinute / minuteMs);
  const elapsed = Math.max(1, (now.getTime() - thisMinute) / 1000);
  return {
    times: [...past.map(({ at }) => new Date(at)), now],
    players: [...past.map(({ entry }) => entry?.players ?? 0), overview.players_online],
    admitted: [
      ...past.map(({ entry }) => (entry?.joins ?? 0) / 60),
      overview.connections_per_second,
    ],
    refused: [
      ...past.map(({ entry }) => (entry?.refused ?? 0) / 60),
      (present?.refused ?? 0) / elapsed,
    ],
    refusedCount: [...past.map(({ entry }) => entry?.refused ?? 0), present?.refused ?? 0],
    bandwidth: [...past.map(({ entry }) => ((entry?.bytes ?? 0) * 8) / 60), overview.bandwidth_bps],
  };
}

/** Share of the month's traffic in per cent, capped at 100; null without a limit. */
export function usedPercent(usedBytes: number, limitBytes: number | null): number | null {
  if (limitBytes === null || limitBytes <= 0) return null;
  return Math.min(100, (usedBytes / limitBytes) * 100);
}
