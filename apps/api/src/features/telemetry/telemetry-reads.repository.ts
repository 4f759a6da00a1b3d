import { sql, type RawBuilder } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import {
  mergedColumns,
  mergedNumbers,
  telemetryTables,
  type TelemetryTable,
} from "./telemetry-merge.repository.ts";

/** Part of a period, and the table that has it whole. */
export interface Piece {
  readonly table: TelemetryTable;
  readonly fromMs: number;
  readonly toMs: number;
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
  readonly bedrock_joins: Sum;
  readonly bedrock_player_seconds: Sum;
  readonly players_max: Sum;
  readonly connections_max: Sum;
  readonly checks: Sum;
  readonly checks_up: Sum;
  readonly latency_ms: Sum;
  readonly reasons: Readonly<Record<string, number>> | null;
}

/**
 * Counters of a shield by `step` seconds; one start may come several times. Rollups of this step have
 * one row for each start, which is read as it is.
 */
export async function selectNumbers(
  trx: Trx,
  shieldId: string,
  step: number,
  pieces: readonly Piece[],
): Promise<NumbersRow[]> {
  const found: NumbersRow[] = [];
  for (const piece of pieces) {
    const where = ofPiece(shieldId, piece);
    const isMerged = telemetryTables[piece.table] === step && piece.table !== "telemetry_minutes";
    const query = isMerged
      ? sql`select start, ${sql.join(mergedColumns.map((column) => sql.ref(column)))}, reasons
          from ${sql.table(piece.table)} where ${where}`
      : mergedNumbers(piece.table, step, where);
    const { rows } = await sql<NumbersRow>`${query}`.execute(trx);
    found.push(...rows);
  }
  return found;
}
