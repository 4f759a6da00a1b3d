import { refusalReasons, type RefusalReason } from "@palisade/contract/edge/plain-values";
import type { AnalyticsSeries, AnalyticsTotals } from "@palisade/contract/http/analytics";
import type { NumbersRow } from "#src/features/telemetry/telemetry-reads.service.ts";
import { startsOf, type AnalyticsWindow } from "./analytics-window.ts";

const sums = [
  "joins",
  "pings",
  "challenged",
  "verified",
  "bytes_up",
  "bytes_down",
  "attack_bytes",
  "player_seconds",
  "bedrock_joins",
  "bedrock_player_seconds",
  "checks",
  "checks_up",
  "latency_ms",
] as const;

interface Point {
  readonly startMs: number;
  /** The part of the step that is over. */
  readonly seconds: number;
  readonly numbers: Record<(typeof sums)[number], number>;
  playersMax: number;
  connectionsMax: number;
  readonly refused: Map<RefusalReason, number>;
}

/** One for each start of the window; null where nothing is known. */
export type Points = readonly (Point | null)[];

/** @param isKnown whether edges have told of the time that begins then */
export function pointsOf(
  window: AnalyticsWindow,
  rows: readonly NumbersRow[],
  isKnown: (startMs: number) => boolean,
  nowMs: number,
): Points {
  const points = new Map<number, Point>();
  const stepMs = window.step * 1_000;
  const pointAt = (startMs: number): Point => {
    const seconds = Math.max(60, Math.min(stepMs, nowMs - startMs) / 1_000);
    const point = points.get(startMs) ?? emptyPoint(startMs, seconds);
    points.set(startMs, point);
    return point;
  };
  for (const row of rows) addRow(pointAt(row.start.getTime()), row);
  return startsOf(window).map(
    (startMs) => points.get(startMs) ?? (isKnown(startMs) ? pointAt(startMs) : null),
  );
}

function emptyPoint(startMs: number, seconds: number): Point {
  const numbers = Object.fromEntries(sums.map((name) => [name, 0])) as Point["numbers"];
  return { startMs, seconds, numbers, playersMax: 0, connectionsMax: 0, refused: new Map() };
}

function addRow(point: Point, row: NumbersRow): void {
  for (const name of sums) point.numbers[name] += Number(row[name] ?? 0);
  point.playersMax = Math.max(point.playersMax, Number(row.players_max ?? 0));
  point.connectionsMax = Math.max(point.connectionsMax, Number(row.connections_max ?? 0));
  for (const reason of refusalReasons) {
    const count = row.reasons?.[`r:${reason}`] ?? 0;
    if (count > 0) point.refused.set(reason, (point.refused.get(reason) ?? 0) + count);
  }
}

export function seriesOf(points: Points): AnalyticsSeries {
  const of = (value: (point: Point) => number) =>
    points.map((point) => point && safe(value(point)));
  const measured = (value: (point: Point) => number | null) =>
    points.map((point) => point && value(point));
  const occurred = refusalReasons.filter((reason) =>
    points.some((point) => point?.refused.has(reason)),
  );
  return {
    players: measured(({ numbers, seconds }) => rounded(numbers.player_seconds / seconds)),
    players_peak: of(({ playersMax }) => playersMax),
    joins: of(({ numbers }) => numbers.joins),
    bedrock_players: measured(({ numbers, seconds }) =>
      rounded(numbers.bedrock_player_seconds / seconds),
    ),
    bedrock_joins: of(({ numbers }) => numbers.bedrock_joins),
    pings: of(({ numbers }) => numbers.pings),
    connections_peak: of(({ connectionsMax }) => connectionsMax),
    refused: Object.fromEntries(
      occurred.map((reason) => [reason, of(({ refused }) => refused.get(reason) ?? 0)]),
    ),
    challenged: of(({ numbers }) => numbers.challenged),
    verified: of(({ numbers }) => numbers.verified),
    challenges_failed: of(({ refused }) => refused.get("bot_check") ?? 0),
    bytes_up: of(({ numbers }) => numbers.bytes_up),
    bytes_down: of(({ numbers }) => numbers.bytes_down),
    attack_bytes: of(({ numbers }) => numbers.attack_bytes),
    backend_latency_ms: measured(({ numbers }) => share(numbers.latency_ms, numbers.checks_up)),
    backend_health: measured(({ numbers }) => share(numbers.checks_up, numbers.checks)),
  };
}

export function totalsOf(points: Points, uniquePlayers: number): AnalyticsTotals {
  const known = points.filter((point) => point !== null);
  const sum = (value: (point: Point) => number) =>
    safe(known.reduce((total, point) => total + value(point), 0));
  const most = (value: (point: Point) => number) =>
    known.length === 0 ? null : safe(Math.max(...known.map(value)));
  const of = (name: (typeof sums)[number]) => sum(({ numbers }) => numbers[name]);
  const refused = refusalReasons.flatMap((reason) => {
    const count = sum((point) => point.refused.get(reason) ?? 0);
    return count > 0 ? [[reason, count] as const] : [];
  });
  return {
    players: share(
      of("player_seconds"),
      sum(({ seconds }) => seconds),
    ),
    players_peak: most(({ playersMax }) => playersMax),
    joins: of("joins"),
    bedrock_players: share(
      of("bedrock_player_seconds"),
      sum(({ seconds }) => seconds),
    ),
    bedrock_joins: of("bedrock_joins"),
    pings: of("pings"),
    connections_peak: most(({ connectionsMax }) => connectionsMax),
    refused: Object.fromEntries(refused),
    challenged: of("challenged"),
    verified: of("verified"),
    challenges_failed: sum((point) => point.refused.get("bot_check") ?? 0),
    bytes_up: of("bytes_up"),
    bytes_down: of("bytes_down"),
    attack_bytes: of("attack_bytes"),
    backend_latency_ms: share(of("latency_ms"), of("checks_up")),
    backend_health: share(of("checks_up"), of("checks")),
    unique_players: uniquePlayers,
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Sums beyond 2^53 are no longer exact and no longer matter. */
function safe(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
