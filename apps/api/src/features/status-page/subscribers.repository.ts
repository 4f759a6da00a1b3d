import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type SubscriberRow = Selectable<Database["status_subscribers"]>;

/** False where the address is subscribed, or asked for, already. */
export async function insertSubscriber(
  trx: Trx,
  row: Insertable<Database["status_subscribers"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("status_subscribers")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "address_key"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export function lockSubscriberByKey(
  trx: Trx,
  kind: SubscriberRow["kind"],
  key: string,
): Promise<SubscriberRow | undefined> {
  return trx
    .selectFrom("status_subscribers")
    .selectAll()
    .where("kind", "=", kind)
    .where("address_key", "=", key)
    .forUpdate()
    .executeTakeFirst();
}

export function selectSubscriber(db: Executor, id: string): Promise<SubscriberRow | undefined> {
  return db.selectFrom("status_subscribers").selectAll().where("id", "=", id).executeTakeFirst();
}

/** A page of the confirmed ones, by id. */
export function selectConfirmed(
  db: Executor,
  page: { readonly after: string | null; readonly max: number },
): Promise<SubscriberRow[]> {
  let query = db
    .selectFrom("status_subscribers")
    .selectAll()
    .where("confirmed_at", "is not", null)
    .orderBy("id")
    .limit(page.max);
  if (page.after !== null) query = query.where("id", ">", page.after);
  return query.execute();
}

export async function changeSubscriber(
  db: Executor,
  id: string,
  changed: Updateable<Database["status_subscribers"]>,
): Promise<void> {
  await db.updateTable("status_subscribers").set(changed).where("id", "=", id).execute();
}

export async function deleteSubscriber(db: Executor, id: string): Promise<void> {
  await db.deleteFrom("status_subscribers").where("id", "=", id).execute();
}

export async function deleteUnconfirmedBefore(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom("status_subscribers")
    .where("confirmed_at", "is", null)
    .where("created_at", "<", before)
    .execute();
}

export async function countOfHost(trx: Trx, host: string): Promise<number> {
  const row = await trx
    .selectFrom("status_subscribers")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("host", "=", host)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function countConfirmed(db: Executor): Promise<{ mail: number; webhook: number }> {
  const rows = await db
    .selectFrom("status_subscribers")
    .select(["kind", ({ fn }) => fn.countAll<string>().as("count")])
    .where("confirmed_at", "is not", null)
    .groupBy("kind")
    .execute();
  const of = (kind: SubscriberRow["kind"]) =>
    Number(rows.find((row) => row.kind === kind)?.count ?? 0);
  return { mail: of("mail"), webhook: of("webhook") };
}
