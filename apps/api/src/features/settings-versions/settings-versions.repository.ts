import type { Executor } from "#src/platform/database/db.ts";

/** An entry of the shield's history: its settings after that change are a version. */
export function selectEntry(db: Executor, shieldId: string, entryId: string) {
  return db
    .selectFrom("shield_changes")
    .select(["id", "position", "created_at"])
    .where("shield_id", "=", shieldId)
    .where("id", "=", entryId)
    .executeTakeFirst();
}

/** Changes after an entry, the newest first. */
export function selectChangesAfter(
  db: Executor,
  shieldId: string,
  position: string,
  limit: number,
) {
  return db
    .selectFrom("shield_changes")
    .select(["area", "changes"])
    .where("shield_id", "=", shieldId)
    .where("position", ">", position)
    .orderBy("position", "desc")
    .limit(limit)
    .execute();
}
