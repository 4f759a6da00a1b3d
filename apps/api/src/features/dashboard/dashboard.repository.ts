import type { Db } from "#src/platform/database/db.ts";

/** Shields of a user that still exist, own and shared. */
export function selectShieldsOf(db: Db, userId: string) {
  return db
    .selectFrom("shield_members")
    .innerJoin("shields", "shields.id", "shield_members.shield_id")
    .select(["shields.id", "shields.status", "shields.created_at", "shield_members.role"])
    .where("shield_members.user_id", "=", userId)
    .where("shields.status", "!=", "deleted")
    .execute();
}
