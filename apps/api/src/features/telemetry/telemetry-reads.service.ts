import type { Trx } from "#src/platform/database/db.ts";
import { selectCuts, type Cuts } from "./rollups.repository.ts";
import { telemetryTables, type TelemetryTable } from "./telemetry-merge.repository.ts";
import type { Piece } from "./telemetry-reads.repository.ts";

export { bucketOf } from "./telemetry-merge.repository.ts";
export { ofPiece, selectNumbers } from "./telemetry-reads.repository.ts";
export type { NumbersRow, Piece } from "./telemetry-reads.repository.ts";

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
export type PiecesOf = (fromMs: number, toMs: number, step: number) => Piece[];

/** For the reads of one snapshot: how far each table is rolled up is asked once. */
export async function openPieces(trx: Trx): Promise<PiecesOf> {
  const cuts = await selectCuts(trx);
  return (fromMs, toMs, step) => split(fromMs, toMs, step, cuts);
}

function split(fromMs: number, toMs: number, step: number, cuts: Cuts): Piece[] {
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
