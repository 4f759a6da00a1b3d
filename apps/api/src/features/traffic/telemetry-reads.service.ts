import { sql, type RawBuilder } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import { selectCuts, type Cuts } from "./rollups.repository.ts";
import { mergedNumbers, telemetryTables, type TelemetryTable } from "./telemetry-merge.ts";

/** Part of a period, and the table that has it whole. */
export interface Piece {
  readonly table: TelemetryTable;
  readonly fromMs: number;
  readonly toMs: number;
}

const finestFirst = [
  "telemetry_minutes",
  "telemetry_tens",
  "telemetry_hours",
  "telemetry_days",
] as const;

/**
 * The fewest rows that have every minute of the period once: the coarsest table where it is rolled up,
 * and finer ones at both ends.
 *
 * @param step no coarser table than this
 */
export async function piecesOf(
  trx: Trx,
  fromMs: number,
  toMs: number,
  step: number,
): Promise<Piece[]> {
  return split(fromMs, toMs, step, await selectCuts(trx));
}

export function split(fromMs: number, toMs: number, step: number, cuts: Cuts): Piece[] {
  const cutOf: Readonly<Record<TelemetryTable, Date | null>> = {
    telemetry_minutes: null,
    telemetry_tens: cuts.tens,
    telemetry_hours: cuts.hours,
    telemetry_days: cuts.days,
  };
  const tables = finestFirst.filter((table) => telemetryTables[table] <= step);
  return splitBy(fromMs, toMs, tables.toReversed(), cutOf);
}

function splitBy(
  fromMs: number,
  toMs: number,
  [table, ...finer]: readonly TelemetryTable[],
  cutOf: Readonly<Record<TelemetryTable, Date | null>>,
): Piece[] {
  if (fromMs >= toMs || table === undefined) return [];
  if (finer.length === 0) return [{ table, fromMs, toMs }];
  const stepMs = telemetryTables[table] * 1_000;
  const endMs = Math.min(toMs, cutOf[table]?.getTime() ?? Number.POSITIVE_INFINITY);
  const first = Math.ceil(fromMs / stepMs) * stepMs;
  const after = Math.floor(endMs / stepMs) * stepMs;
  if (first >= after) return splitBy(fromMs, toMs, finer, cutOf);
  return [
    ...splitBy(fromMs, first, finer, cutOf),
    { table, fromMs: first, toMs: after },
    ...splitBy(after, toMs, finer, cutOf),
  ];
}

/** Rows of a shield in a piece. */
export function ofPiece(shieldId: string, { fromMs, toMs }: Piece): RawBuilder<boolean> {
  return sql<boolean>`shield_id = ${shieldId} and start >= ${new Date(fromMs)}
    and start < ${new Date(toMs)}`;
}

type Sum = string | null;

export interface NumbersRow {
  readonly start: Date;
  readonly joins: Sum;
  readonly pings: Sum;
  readonly challenged: Sum;
  readonly verified: Sum;
  readonly bytes_up: Sum;
  readonly bytes_down: Sum;
  readonly attack_bytes: Sum;
  readonly player_seconds: Sum;
  readonly players_max: Sum;
  readonly connections_max: Sum;
  readonly checks: Sum;
  readonly checks_up: Sum;
  readonly latency_ms: Sum;
  readonly reasons: Readonly<Record<string, number>> | null;
}

/** Counters of a shield by `step` seconds; one start may come several times. */
export async function selectNumbers(
  trx: Trx,
  shieldId: string,
  step: number,
  pieces: readonly Piece[],
): Promise<NumbersRow[]> {
  const found: NumbersRow[] = [];
  for (const piece of pieces) {
    const query = mergedNumbers(piece.table, step, ofPiece(shieldId, piece));
    const { rows } = await sql<NumbersRow>`${query}`.execute(trx);
    found.push(...rows);
  }
  return found;
}
