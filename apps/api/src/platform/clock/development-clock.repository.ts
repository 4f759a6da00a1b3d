import type { Db, Trx } from "#src/platform/database/db.ts";

export async function selectOffsetMs(db: Db): Promise<number> {
  const row = await db.selectFrom("development_clock").select("offset_ms").executeTakeFirst();
  return Number(row?.offset_ms ?? 0);
}

export async function addToOffset(trx: Trx, ms: number): Promise<void> {
  await trx
    .updateTable("development_clock")
    .set((eb) => ({ offset_ms: eb("offset_ms", "+", String(ms)) }))
    .execute();
}
