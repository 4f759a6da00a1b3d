import type { Executor, Trx } from "#src/platform/database/db.ts";

/** Live sessions of the user, the one used last first. */
export function selectSessionsOf(db: Executor, userId: string, now: Date) {
  return db
    .selectFrom("sessions")
    .select(["id", "device", "ip", "created_at", "last_seen_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("last_seen_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** @returns false where the user has no such session */
export async function deleteSessionOf(trx: Trx, userId: string, id: string): Promise<boolean> {
  const result = await trx
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
