import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import type { TimeCursor } from "#src/platform/http/time-cursor.ts";

export const attackColumns = [
  "id",
  "started_at",
  "ended_at",
  "peak_per_second",
  "datagrams_peak",
  "sources",
  "refused",
  "edges",
  "relaxed_to",
] as const;

/** Newest first. */
export function selectAttacks(
  db: Executor,
  shieldId: string,
  window: { readonly before: TimeCursor | undefined; readonly limit: number },
) {
  const { before } = window;
  return db
    .selectFrom("attacks")
    .select(attackColumns)
    .where("shield_id", "=", shieldId)
    .$if(before !== undefined, (query) =>
      query.where(
        sql<boolean>`(started_at, id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::uuid)`,
      ),
    )
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .limit(window.limit)
    .execute();
}
