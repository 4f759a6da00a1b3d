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
 * present are told by the live figures and by what the present minute has counted so far.
 */
export function lastHour(overview: ServerOverview, now: Date): LastHour {
  const thisMinute = Math.floor(now.getTime() / minuteMs);
  const byMinute = new Map(
    overview.history.map((entry) => [Math.floor(Date.parse(entry.minute) / minuteMs), entry]),
  );
  const present = byMinute.get(thisMinute);
  // Edges report every ten seconds: less of a minute than that says little of its rates.
  const elapsedSeconds = Math.max(10, (now.getTime() - thisMinute * minuteMs) / 1000);
  const live = {
    ...ratesOf(present, elapsedSeconds),
    players: overview.players_online,
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

function ratesOf(entry: ServerOverview["history"][number] | undefined, seconds = 60) {
  return {
    players: entry?.players ?? 0,
    admitted: (entry?.joins ?? 0) / seconds,
    refused: (entry?.refused ?? 0) / seconds,
    refusedCount: entry?.refused ?? 0,
    bandwidth: ((entry?.bytes ?? 0) * 8) / seconds,
  };
}
