import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import type { EdgeActor } from "#src/platform/http/pipeline/context.ts";

/** A node's answers to the revisions of one shield. */
export interface AckSummary {
  readonly shield_id: string;
  applied: number | null;
  rejected: number | null;
  reason: string | null;
}

export async function setEdgeVersion(trx: Trx, edgeId: string, version: number): Promise<void> {
  await trx
    .updateTable("edges")
    .set({ config_version: version })
    .where("id", "=", edgeId)
    .execute();
}

/** Leaves out shields the node does not receive and revisions that do not exist. */
export async function upsertAcks(
  trx: Trx,
  edge: EdgeActor,
  summaries: readonly AckSummary[],
): Promise<void> {
  await sql`
    insert into edge_acks as known
      (edge_id, shield_id, applied_revision, applied_at, rejected_revision, rejected_at, reason)
    select ${edge.edgeId}, ack.shield_id,
      ack.applied, case when ack.applied is not null then clock_timestamp() end,
      ack.rejected, case when ack.rejected is not null then clock_timestamp() end, ack.reason
    from jsonb_to_recordset(${JSON.stringify(summaries)}::jsonb)
      as ack (shield_id uuid, applied integer, rejected integer, reason text)
    join shields on shields.id = ack.shield_id
      and greatest(ack.applied, ack.rejected) <= shields.revision
    where exists (
      select from shield_configs config where config.shield_id = ack.shield_id
        and (${edge.nodeKind === "dns"} or ${edge.location} = any (config.locations))
    )
    -- Every node takes the rows in one order, so that two nodes cannot deadlock.
    order by ack.shield_id
    on conflict (edge_id, shield_id) do update set
      applied_revision = greatest(known.applied_revision, excluded.applied_revision),
      -- The first time a revision was applied counts, however often it is repeated.
      applied_at = case
        when excluded.applied_revision > coalesce(known.applied_revision, 0)
        then excluded.applied_at else known.applied_at end,
      rejected_revision = greatest(known.rejected_revision, excluded.rejected_revision),
      rejected_at = case
        when excluded.rejected_revision > coalesce(known.rejected_revision, 0)
        then excluded.rejected_at else known.rejected_at end,
      reason = case
        when excluded.rejected_revision > coalesce(known.rejected_revision, 0)
        then excluded.reason else known.reason end
  `.execute(trx);
}
