import type { Propagation } from "@palisade/contract/http/servers";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { selectReceipts, selectRevision } from "./propagation.repository.ts";

type Receipt = Awaited<ReturnType<typeof selectReceipts>>[number];

/**
 * How far a revision, or the newest one, has come.
 *
 * @throws DomainError `not_found` where the revision is unknown or no longer kept
 */
export async function getPropagation(
  db: Db,
  shieldId: string,
  wanted: number | undefined,
): Promise<Propagation> {
  const revision = await selectRevision(db, shieldId, wanted);
  if (revision === undefined) throw new DomainError("not_found");
  const edges = (await selectReceipts(db, shieldId)).map((row) => judge(row, revision));
  const applied = edges.filter(({ outcome }) => outcome === "applied");
  const isEverywhere = edges.length > 0 && applied.length === edges.length;
  return {
    revision: revision.revision,
    committed_at: revision.committed_at.toISOString(),
    edges_total: edges.length,
    edges_applied: applied.length,
    edges_rejected: edges.filter(({ outcome }) => outcome === "rejected").length,
    applied_in_ms: isEverywhere
      ? Math.max(...applied.map(({ applied_in_ms }) => applied_in_ms ?? 0))
      : null,
    edges,
  };
}

function judge(
  row: Receipt,
  revision: { readonly revision: number; readonly committed_at: Date },
): Propagation["edges"][number] {
  const edge = { edge: row.name, location: row.location };
  // A later revision that was applied contains this one.
  if (row.applied_at !== null && (row.applied_revision ?? 0) >= revision.revision) {
    // An edge enrolled since is measured from when it could first have known.
    const start = Math.max(revision.committed_at.getTime(), row.enrolled_at?.getTime() ?? 0);
    const applied_in_ms = Math.max(0, row.applied_at.getTime() - start);
    return { ...edge, outcome: "applied", applied_in_ms, reason: null };
  }
  if ((row.rejected_revision ?? 0) >= revision.revision) {
    return { ...edge, outcome: "rejected", applied_in_ms: null, reason: row.reason };
  }
  return { ...edge, outcome: "pending", applied_in_ms: null, reason: null };
}

/** The edges online that have to know the shield, for staff: what each has made of it. */
export async function edgesOfShield(db: Db, shieldId: string) {
  return (await selectReceipts(db, shieldId)).map((row) => ({
    name: row.name,
    location: row.location,
    applied_revision: row.applied_revision,
    rejected_revision: row.rejected_revision,
    reason: row.reason,
  }));
}
