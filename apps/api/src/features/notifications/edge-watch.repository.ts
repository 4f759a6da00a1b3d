import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import { isRecent } from "#src/features/liveness/liveness.service.ts";

export interface EdgeChange {
  readonly name: string;
  readonly location: string;
  readonly is_lost: boolean;
  readonly last_seen_at: Date | null;
}

/** Two checks in a row are so far apart; longer, and the api itself was away. */
const missedSeconds = { min: 40, max: 150 } as const;

/** Nodes that were heard before; a drained one too, because it has to come back by itself. */
export async function takeEdgeChanges(trx: Trx): Promise<EdgeChange[]> {
  await sql`
    insert into edge_watches (edge_id, is_lost, changed_at)
    select id, false, clock_timestamp() from edges
    where revoked_at is null and credential_hash is not null and last_seen_at is not null
    on conflict do nothing
  `.execute(trx);
  const ago = (seconds: number) =>
    sql`clock_timestamp() - make_interval(secs => ${sql.lit(seconds)})`;
  const { rows } = await sql<EdgeChange>`
    update edge_watches watch
    set is_lost = not watch.is_lost, missed_at = null, changed_at = clock_timestamp()
    from edges
    where edges.id = watch.edge_id and edges.revoked_at is null
      and case when watch.is_lost then ${isRecent("edges.last_seen_at")}
        else not ${isRecent("edges.last_seen_at")}
          and watch.missed_at between ${ago(missedSeconds.max)} and ${ago(missedSeconds.min)} end
    returning edges.name, edges.location, watch.is_lost, edges.last_seen_at
  `.execute(trx);
  await sql`
    update edge_watches watch
    set missed_at = case when ${isRecent("edges.last_seen_at")} then null else clock_timestamp() end
    from edges
    where edges.id = watch.edge_id and not watch.is_lost
      and (${isRecent("edges.last_seen_at")} = (watch.missed_at is not null)
        or watch.missed_at < ${ago(missedSeconds.max)})
  `.execute(trx);
  return rows;
}
