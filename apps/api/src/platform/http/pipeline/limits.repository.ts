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

export async function deleteOldHits(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("expires_at", "<=", now).execute();
}
