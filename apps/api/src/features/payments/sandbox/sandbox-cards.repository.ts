import type { Insertable } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

/** A repeated set-up saves one card. */
export async function insertSandboxCard(
  db: Executor,
  card: Insertable<Database["sandbox_cards"]>,
): Promise<void> {
  await db
    .insertInto("sandbox_cards")
    .values(card)
    .onConflict((conflict) => conflict.column("setup_id").doNothing())
    .execute();
}

export function selectSandboxCard(db: Executor, paymentMethod: string) {
  return db
    .selectFrom("sandbox_cards")
    .selectAll()
    .where("payment_method", "=", paymentMethod)
    .executeTakeFirst();
}

export function selectSandboxCards(db: Executor, customerId: string) {
  return db
    .selectFrom("sandbox_cards")
    .selectAll()
    .where("customer_id", "=", customerId)
    .where("removed_at", "is", null)
    .execute();
}

export async function markSandboxCardRemoved(
  db: Executor,
  paymentMethod: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable("sandbox_cards")
    .set({ removed_at: at })
    .where("payment_method", "=", paymentMethod)
    .execute();
}
