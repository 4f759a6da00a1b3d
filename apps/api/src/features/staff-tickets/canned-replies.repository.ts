import type { Insertable, Updateable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

const columns = ["id", "title", "body_en", "body_ru", "updated_at"] as const;

export function selectReplies(db: Executor) {
  return db.selectFrom("canned_replies").select(columns).orderBy("title").orderBy("id").execute();
}

export async function countReplies(trx: Trx): Promise<number> {
  const row = await trx
    .selectFrom("canned_replies")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export function insertReply(trx: Trx, row: Insertable<Database["canned_replies"]>) {
  return trx.insertInto("canned_replies").values(row).returning(columns).executeTakeFirstOrThrow();
}

export function updateReply(trx: Trx, id: string, values: Updateable<Database["canned_replies"]>) {
  return trx
    .updateTable("canned_replies")
    .set(values)
    .where("id", "=", id)
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteReply(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("canned_replies")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
