import type { Ack } from "@palisade/contract/edge/edge-routes";
import type { Db } from "#src/platform/database/db.ts";
import type { EdgeActor } from "#src/platform/http/pipeline/context.ts";
import { touchEdge } from "#src/features/liveness/liveness.service.ts";
import { setEdgeVersion, upsertAcks, type AckSummary } from "./acks.repository.ts";

/**
 * Records which revisions a node applied or rejected. The highest applied and the highest rejected
 * revision of each shield are kept.
 */
export async function recordAcks(
  db: Db,
  edge: EdgeActor,
  report: { readonly version: number; readonly acks: readonly Ack[] },
): Promise<void> {
  const summaries = summarize(report.acks);
  await db.transaction().execute(async (trx) => {
    if (!(await touchEdge(trx, edge.edgeId))) return;
    if (report.version > 0) await setEdgeVersion(trx, edge.edgeId, report.version);
    if (summaries.length > 0) await upsertAcks(trx, edge, summaries);
  });
}

/** One row per shield, because a statement cannot touch the same row twice. */
function summarize(acks: readonly Ack[]): AckSummary[] {
  const byShield = new Map<string, AckSummary>();
  for (const ack of acks) {
    // A revision beyond PostgreSQL's integer was never published.
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
