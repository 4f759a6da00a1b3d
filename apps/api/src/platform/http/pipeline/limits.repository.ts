import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";

/** Counts a hit. A window starts with its first hit, so two resends are a whole cooldown apart. */
export async function countHit(
  db: Db,
  key: string,
  windowSeconds: number,
  now: Date,
): Promise<{ hits: number; expiresAtMs: number }> {
  const expiresAt = new Date(now.getTime() + windowSeconds * 1000);
  const isOver = sql<boolean>`rate_limits.expires_at <= ${now}`;
  const row = await db
    .insertInto("rate_limits")
    .values({ key, hits: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        hits: sql`case when ${isOver} then 1 else least(rate_limits.hits + 1, 1000000000) end`,
        expires_at: sql`case when ${isOver} then excluded.expires_at else rate_limits.expires_at end`,
      }),
    )
    .returning(["hits", "expires_at"])
    .executeTakeFirstOrThrow();
  return { hits: row.hits, expiresAtMs: row.expires_at.getTime() };
}

/** A counted call was no failure after all. Its window may be over by now. */
export async function returnHits(db: Db, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  await db
    .updateTable("rate_limits")
    .set((eb) => ({ hits: eb("hits", "-", 1) }))
    .where("key", "in", keys)
    .where("expires_at", ">", now)
    .where("hits", ">", 0)
    .execute();
}

export async function deleteOldHits(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("expires_at", "<=", now).execute();
}
