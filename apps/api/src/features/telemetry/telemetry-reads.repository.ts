import { sql, type RawBuilder } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import { mergedNumbers, type TelemetryTable } from "./telemetry-merge.repository.ts";

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
