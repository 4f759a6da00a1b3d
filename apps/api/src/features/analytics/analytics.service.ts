import type {
  Analytics,
  AnalyticsMark,
  AnalyticsRange,
  AnalyticsTotals,
} from "@palisade/contract/http/analytics";
import { analyticsMarksMax } from "@palisade/contract/http/analytics";
import { settingAreas, type SettingArea } from "@palisade/contract/http/history";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import {
  openPieces,
  selectNumbers,
  type PiecesOf,
} from "#src/features/telemetry/telemetry-reads.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { ShieldGrant } from "#src/platform/http/pipeline/context.ts";
import {
  selectAttackMarks,
  selectChangeMarks,
  selectCovered,
  selectSketches,
  selectSubject,
  selectTops,
  selectWeekHours,
} from "./analytics.repository.ts";
import { pointsOf, seriesOf, totalsOf, type Points } from "./analytics-series.ts";
import { topsOf } from "./analytics-tops.ts";
import { startsOf, windowBefore, windowOf, type AnalyticsWindow } from "./analytics-window.ts";
import {
  estimatePlayers,
  estimateReturned,
  sketchOf,
  unionOf,
  type EstimatedPlayers,
} from "./player-sketch.ts";

const dayMs = 86_400_000;
const daySeconds = 86_400;

export interface AnalyticsQuery {
  readonly range: AnalyticsRange;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface AnalyticsCaller {
  readonly now: Date;
  readonly rights: ShieldGrant["rights"];
}

/** The database, the shield, and the times that are known of it. */
interface Reading {
  readonly trx: Trx;
  readonly shieldId: string;
  readonly nowMs: number;
  /** The plan keeps nothing that is older. */
  readonly keptMs: number;
  readonly createdMs: number;
  readonly locations: readonly string[];
  readonly piecesOf: PiecesOf;
}

interface Period {
  readonly window: AnalyticsWindow;
  readonly points: Points;
  readonly totals: AnalyticsTotals;
  readonly players: readonly PlayersOfDays[];
}

export function getAnalytics(
  db: Db,
  caller: AnalyticsCaller,
  shieldId: string,
  query: AnalyticsQuery & { readonly compare: boolean },
): Promise<Analytics> {
  return inSnapshot(db, async (trx) => {
    const { subject, reading, window } = await beginReading(trx, caller, shieldId, query);
    const period = await readPeriod(reading, window);
    const before = query.compare ? await readPeriod(reading, windowBefore(window)) : undefined;
    const whole = reading.piecesOf(window.fromMs, window.toMs, daySeconds);
    const tops = await selectTops(trx, shieldId, whole);
    return {
      range: query.range,
      ...ends(window),
      step_seconds: window.step,
      kept_from: timeOf(reading.keptMs),
      times: startsOf(window).map(timeOf),
      series: seriesOf(period.points),
      totals: period.totals,
      before: before
        ? { ...ends(before.window), series: seriesOf(before.points), totals: before.totals }
        : null,
      ...topsOf(tops, { countries: subject.has_countries, networks: subject.has_networks }),
      hours_of_week: await hoursOfWeek(reading, window),
      retention: retentionOf(period.players),
      marks: await marksOf(reading, window, caller.rights),
    };
  });
}

/** The series alone. */
export function getAnalyticsSeries(
  db: Db,
  caller: AnalyticsCaller,
  shieldId: string,
  query: AnalyticsQuery,
) {
  return inSnapshot(db, async (trx) => {
    const { reading, window } = await beginReading(trx, caller, shieldId, query);
    const points = await readPoints(reading, window);
    return { times: startsOf(window).map(timeOf), series: seriesOf(points) };
  });
}

/** One snapshot, in which each report is either in the rollups or in the minutes. */
function inSnapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(read);
}

async function beginReading(
  trx: Trx,
  { now }: AnalyticsCaller,
  shieldId: string,
  query: AnalyticsQuery,
) {
  const subject = await selectSubject(trx, shieldId);
  if (subject === undefined) throw new DomainError("not_found");
  const nowMs = now.getTime();
  const days = entitlements(subject).analyticsDays;
  const keptMs = Math.floor((nowMs - days * dayMs) / dayMs) * dayMs;
  const createdMs = subject.created_at.getTime();
  const { locations } = subject;
  const piecesOf = await openPieces(trx);
  const reading: Reading = { trx, shieldId, nowMs, keptMs, createdMs, locations, piecesOf };
  return { subject, reading, window: windowOf(query, nowMs, keptMs) };
}

async function readPoints(reading: Reading, window: AnalyticsWindow): Promise<Points> {
  const { trx, shieldId, nowMs, keptMs, createdMs, locations, piecesOf } = reading;
  const { fromMs, toMs, step } = window;
  const pieces = piecesOf(Math.max(fromMs, keptMs), toMs, step);
  const rows = await selectNumbers(trx, shieldId, step, pieces);
  const covered = await selectCovered(trx, locations, window);
  const knownFromMs = Math.max(keptMs, createdMs - step * 1_000 + 1);
  return pointsOf(window, rows, (ms) => ms >= knownFromMs && covered.has(ms), nowMs);
}

async function readPeriod(reading: Reading, window: AnalyticsWindow): Promise<Period> {
  const points = await readPoints(reading, window);
  const players = await readPlayers(reading, window);
  const unique = estimatePlayers(unionOf(players.map(({ sketch }) => sketch)));
  return { window, points, totals: totalsOf(points, unique), players };
}

interface PlayersOfDays extends EstimatedPlayers {
  readonly fromMs: number;
  readonly toMs: number;
}

const weeksFromDays = 30;

/** By days, or by weeks of a long window; the oldest first. Its ends are cut to the window. */
async function readPlayers(
  { trx, shieldId, keptMs, piecesOf }: Reading,
  window: AnalyticsWindow,
): Promise<PlayersOfDays[]> {
  const fromMs = Math.max(window.fromMs, keptMs);
  const { toMs } = window;
  const days = toMs - fromMs >= weeksFromDays * dayMs ? 7 : 1;
  const endMs = Math.ceil(toMs / dayMs) * dayMs;
  const pieces = piecesOf(fromMs, toMs, daySeconds);
  const rows = await selectSketches(trx, shieldId, pieces, { days, endMs });
  const count = Math.max(0, Math.ceil((endMs - fromMs) / (days * dayMs)));
  return Array.from({ length: count }, (_, index) => {
    const startMs = endMs - (count - index) * days * dayMs;
    const own = rows.filter((row) => row.startMs === startMs);
    const sketch = unionOf(own.map(({ entries }) => sketchOf(entries)));
    return {
      fromMs: Math.max(fromMs, startMs),
      toMs: Math.min(toMs, startMs + days * dayMs),
      sketch,
      unique: estimatePlayers(sketch),
    };
  });
}

/** The last one has no next one yet. */
function retentionOf(players: readonly PlayersOfDays[]): Analytics["retention"] {
  return players.flatMap((each, index) => {
    const next = players[index + 1];
    if (next === undefined) return [];
    const { fromMs, toMs, unique } = each;
    const returned = estimateReturned(each, next);
    const share = unique === 0 ? null : Math.round((returned / unique) * 1_000) / 1_000;
    return [{ ...ends({ fromMs, toMs }), unique_players: unique, returned, share }];
  });
}

const weekHours = 168;

async function hoursOfWeek(
  { trx, shieldId, locations, keptMs, createdMs, nowMs, piecesOf }: Reading,
  window: AnalyticsWindow,
): Promise<Analytics["hours_of_week"]> {
  if (window.toMs - window.fromMs < 7 * dayMs) return null;
  const fromMs = Math.max(window.fromMs, keptMs, createdMs - 3_600_000);
  // The hour that runs would lower the mean.
  const toMs = Math.min(window.toMs, Math.floor(nowMs / 3_600_000) * 3_600_000);
  const pieces = piecesOf(fromMs, toMs, 3_600);
  const rows = await selectWeekHours(trx, { shieldId, locations, fromMs, toMs }, pieces);
  const bySlot = new Map(rows.map((row) => [row.slot, row]));
  const means = (value: (row: (typeof rows)[number]) => number) =>
    Array.from({ length: weekHours }, (_, slot) => {
      const row = bySlot.get(slot);
      return row === undefined ? null : Math.round((value(row) / row.hours) * 1_000) / 1_000;
    });
  return {
    players: means((row) => Number(row.player_seconds ?? 0) / 3_600),
    joins: means((row) => Number(row.joins ?? 0)),
  };
}

async function marksOf(
  { trx, shieldId, keptMs }: Reading,
  window: AnalyticsWindow,
  rights: AnalyticsCaller["rights"],
): Promise<AnalyticsMark[]> {
  const within = { ...window, fromMs: Math.max(window.fromMs, keptMs) };
  const attacks =
    rights.logs === "none" ? [] : await selectAttackMarks(trx, shieldId, within, analyticsMarksMax);
  const areas: SettingArea[] =
    rights.history === "none" ? [] : settingAreas.filter((area) => rights[area] !== "none");
  const changes =
    areas.length === 0
      ? []
      : await selectChangeMarks(trx, shieldId, areas, within, analyticsMarksMax);
  const marks: AnalyticsMark[] = [
    ...attacks.map((attack) => ({
      kind: "attack" as const,
      id: attack.id,
      at: attack.started_at.toISOString(),
      ended_at: attack.ended_at?.toISOString() ?? null,
      peak_per_second: Number(attack.peak_per_second),
      datagrams_peak: Number(attack.datagrams_peak),
    })),
    ...changes.map((change) => ({
      kind: "change" as const,
      id: change.id,
      at: change.created_at.toISOString(),
      area: change.area,
      fields: change.fields.slice(0, 50),
    })),
  ];
  return marks.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, analyticsMarksMax);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function ends({ fromMs, toMs }: Pick<AnalyticsWindow, "fromMs" | "toMs">) {
  return { from: timeOf(fromMs), to: timeOf(toMs) };
}
