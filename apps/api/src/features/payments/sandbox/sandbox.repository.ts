import type { Insertable, Selectable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type SandboxCheckout = Selectable<Database["sandbox_checkouts"]>;

/** Repeated calls for one order return the same checkout. */
export async function insertCheckout(
  db: Executor,
  checkout: Insertable<Database["sandbox_checkouts"]>,
): Promise<string> {
  const { reference } = await db
    .insertInto("sandbox_checkouts")
    .values(checkout)
    .onConflict((conflict) =>
      conflict.column("order_id").doUpdateSet((eb) => ({ order_id: eb.ref("excluded.order_id") })),
    )
    .returning("reference")
    .executeTakeFirstOrThrow();
  return reference;
}

export function selectCheckout(
  db: Executor,
  reference: string,
): Promise<SandboxCheckout | undefined> {
  return db
    .selectFrom("sandbox_checkouts")
    .selectAll()
    .where("reference", "=", reference)
    .executeTakeFirst();
}

/** @returns false if it was closed before or has expired */
export async function closeCheckout(
  trx: Trx,
  reference: string,
  status: "paid" | "cancelled",
  now: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable("sandbox_checkouts")
    .set({ status })
    .where("reference", "=", reference)
    .where("status", "=", "open")
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteCheckouts(db: Executor, expiredBefore: Date): Promise<void> {
  await db.deleteFrom("sandbox_checkouts").where("expires_at", "<", expiredBefore).execute();
}
