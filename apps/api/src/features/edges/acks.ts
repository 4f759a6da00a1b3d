import type { Ack } from "@palisade/contract/edge/edge-routes";
import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";
import type { EdgeActor } from "#src/platform/http/pipeline/context.ts";
import { touchEdge } from "./edges.repository.ts";

interface Summary {
  readonly shield_id: string;
  applied: number | null;
  rejected: number | null;
  reason: string | null;
}

/**
 * Notes what a node made of revisions. Per shield the highest applied and the highest rejected
 * one stay; acknowledgements of shields the node does not receive, or of revisions that do not
 * exist, are ignored.
 */
export async function recordAcks(
  db: Db,
  edge: EdgeActor,
  report: { readonly version: number; readonly acks: readonly Ack[] },
): Promise<void> {
  const summaries = summarize(report.acks);
  await db.transaction().execute(async (trx) => {
    if (!(await touchEdge(trx, edge.edgeId))) return;
    if (report.version > 0) {
      await trx
        .updateTable("edges")
        .set({ config_version: report.version })
        .where("id", "=", edge.edgeId)
        .execute();
    }
    if (summaries.length === 0) return;
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
      -- One order for every node, so that two of them cannot wait for each other.
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
  });
}

/** One row per shield: a statement cannot touch the same row twice. */
function summarize(acks: readonly Ack[]): Summary[] {
  const byShield = new Map<string, Summary>();
  for (const ack of acks) {
    // A revision beyond PostgreSQL's integer is none of ours.
    if (ack.revision > 2_147_483_647) continue;
    const summary = byShield.get(ack.shield_id) ?? {
      shield_id: ack.shield_id,
      applied: null,
      rejected: null,
      reason: null,
    };
    byShield.set(ack.shield_id, summary);
    if (ack.outcome === "applied") {
      summary.applied = Math.max(summary.applied ?? 0, ack.revision);
    } else if (ack.revision > (summary.rejected ?? 0)) {
      summary.rejected = ack.revision;
      // PostgreSQL's text refuses NUL.
      summary.reason = (ack.reason ?? "").replaceAll("\0", "");
    }
  }
  return [...byShield.values()];
}
