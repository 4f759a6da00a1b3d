import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { dueDomains } from "./domains.repository.ts";

/**
 * Proven domains of active shields whose time has come, the longest waiting first. Their next time
 * is set in the same statement, so that two workers do not look at the same one.
 */
export function takeWatched(
  db: Db,
  now: Date,
  window: { readonly limit: number; readonly nextAt: Date },
) {
  return db
    .updateTable("shield_domains")
    .from("shields")
    .set({ next_check_at: window.nextAt })
    .whereRef("shields.id", "=", "shield_domains.shield_id")
    .where("shield_domains.id", "in", dueDomains(db, now, window.limit, "proven"))
    .returning(["shield_domains.id", "shield_domains.name", "shields.cname_record"])
    .execute();
}

export async function setSeen(db: Executor, claimId: string, nextAt: Date): Promise<void> {
  await db
    .updateTable("shield_domains")
    .set({ unseen_since: null, checks: 0, next_check_at: nextAt })
    .where("id", "=", claimId)
    .where("verified_at", "is not", null)
    .execute();
}

/** Counts a check that did not find the records; the owner gets one mail, at check number `looks`. */
export async function countUnseen(
  db: Db,
  claimId: string,
  { now, looks }: { readonly now: Date; readonly looks: number },
): Promise<void> {
  await sql`
    update shield_domains set checks = checks + 1,
      unseen_since = case when checks + 1 >= ${looks} then coalesce(unseen_since, ${now}) end,
      notice = case when checks + 1 = ${looks} then 'unseen' else notice end
    where id = ${claimId} and verified_at is not null and removed_at is null
  `.execute(db);
}

/** Takes the pending notices for owners; the caller sends the mails in `trx`. */
export async function takeNotices(trx: Trx, limit: number) {
  const rows = await trx
    .selectFrom("shield_domains")
    .innerJoin("shields", "shields.id", "shield_domains.shield_id")
    .innerJoin("users", "users.id", "shields.owner_id")
    .select([
      "shield_domains.id",
      "shield_domains.name",
      "shield_domains.notice",
      "shield_domains.removed_at",
      "shields.id as shield_id",
      "shields.server_name",
      "shields.status",
      "users.email",
      "users.locale",
    ])
    .where("shield_domains.notice", "is not", null)
    .orderBy("shield_domains.id")
    .limit(limit)
    .forUpdate("shield_domains")
    .skipLocked()
    .execute();
  if (rows.length > 0) {
    await trx
      .updateTable("shield_domains")
      .set({ notice: null })
      .where(
        "id",
        "in",
        rows.map(({ id }) => id),
      )
      .execute();
  }
  return rows.filter(({ removed_at, status }) => removed_at === null && status !== "deleted");
}
