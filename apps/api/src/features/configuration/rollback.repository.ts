import type { Executor, Trx } from "#src/platform/database/db.ts";

/** By its CNAME target, whole or only the label. */
export async function selectByLabel(db: Executor, label: string, zone: string) {
  const name = label.toLowerCase().replace(/\.$/, "");
  return db
    .selectFrom("shields")
    .select(["id", "owner_id", "cname_record"])
    .where("cname_record", "in", [name, `${name}.${zone}`])
    .executeTakeFirst();
}

/** Kept revisions, the newest first. */
export function selectRevisions(db: Executor, shieldId: string) {
  return db
    .selectFrom("shield_revisions")
    .select(["revision", "version", "committed_at", "config"])
    .where("shield_id", "=", shieldId)
    .orderBy("revision", "desc")
    .execute();
}

export function selectRevision(trx: Trx, shieldId: string, revision: number) {
  return trx
    .selectFrom("shield_revisions")
    .select("config")
    .where("shield_id", "=", shieldId)
    .where("revision", "=", revision)
    .executeTakeFirst();
}
