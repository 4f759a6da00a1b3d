import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import type { ReportNumber } from "./attack-parts.repository.ts";
import type { MergedPart } from "./merge-reports.ts";

/** An edge reports a running attack every second, and after an outage at least every 30 s. */
const silentSeconds = 30;

/**
 * The attacks whose figures this report recomputes: those in which no other edge's part leads. The
 * oldest part that runs and was reported lately leads. To recompute an attack reads the courses of all
 * its edges, so that edges which did so with every report would read their number squared.
 */
export async function selectLedAttacks(
  trx: Trx,
  { edgeId }: ReportNumber,
  parts: readonly MergedPart[],
): Promise<string[]> {
  const starts = new Map<string, string>();
  for (const { attackId, startedAt, endedAt } of parts) {
    const start = endedAt === null ? startedAt.toISOString() : "infinity";
    const known = starts.get(attackId);
    // ISO times sort as text, and before "infinity".
    if (known === undefined || start < known) starts.set(attackId, start);
  }
  const { rows } = await sql<{ id: string }>`
    select id
    from unnest(${[...starts.keys()]}::uuid[], ${[...starts.values()]}::timestamptz[])
      as told (id, started_at)
    where not exists (
      select from attack_parts other
      where other.attack_id = told.id and other.edge_id <> ${edgeId} and other.ended_at is null
        and other.heard_at > clock_timestamp() - make_interval(secs => ${sql.lit(silentSeconds)})
        and (other.started_at, other.edge_id) < (told.started_at, ${edgeId}::uuid)
    )
  `.execute(trx);
  return rows.map(({ id }) => id);
}
