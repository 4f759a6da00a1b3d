import { sql, type Insertable } from "kysely";
import type { ProviderCard } from "#src/features/payments/card-provider.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Database } from "#src/schema/database.ts";

export type CardRow = Awaited<ReturnType<typeof selectCards>>[number];

/** The owner's cards at one account of the provider, the default first, then the newest. */
export function selectCards(db: Executor, userId: string, account: string) {
  return db
    .selectFrom("saved_cards")
    .selectAll()
    .where("user_id", "=", userId)
    .where("provider_account", "=", account)
    .where("removed_at", "is", null)
    .orderBy("is_default", "desc")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

export function selectDefaultCard(db: Executor, userId: string, account: string) {
  return db
    .selectFrom("saved_cards")
    .select(["customer_id", "payment_method"])
    .where("user_id", "=", userId)
    .where("provider_account", "=", account)
    .where("is_default", "=", true)
    .executeTakeFirst();
}

export async function selectCustomer(
  db: Executor,
  userId: string,
  account: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("payment_customers")
    .select("customer_id")
    .where("user_id", "=", userId)
    .where("provider_account", "=", account)
    .executeTakeFirst();
  return row?.customer_id;
}

/** The first one stays, whichever process asked the provider for it. */
export async function insertCustomer(
  db: Executor,
  customer: Insertable<Database["payment_customers"]>,
): Promise<void> {
  await db
    .insertInto("payment_customers")
    .values(customer)
    .onConflict((conflict) => conflict.columns(["user_id", "provider_account"]).doNothing())
    .execute();
}

export function selectOwnerOfCustomer(db: Executor, account: string, customerId: string) {
  return db
    .selectFrom("payment_customers")
    .select("user_id")
    .where("provider_account", "=", account)
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
}

/** Makes other changes of the customer's cards wait until `trx` ends. */
export async function lockCustomer(
  trx: Trx,
  userId: string,
  account: string,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom("payment_customers")
    .select("customer_id")
    .where("user_id", "=", userId)
    .where("provider_account", "=", account)
    .forUpdate()
    .executeTakeFirst();
  return row?.customer_id;
}

/** Adds the card, or brings a known one up to date. A removed one stays removed. */
export async function upsertCard(
  trx: Trx,
  card: ProviderCard,
  owner: {
    readonly userId: string;
    readonly account: string;
    readonly customerId: string;
    readonly now: Date;
  },
): Promise<void> {
  await trx
    .insertInto("saved_cards")
    .values({
      id: newId(),
      user_id: owner.userId,
      provider_account: owner.account,
      customer_id: owner.customerId,
      payment_method: card.paymentMethod,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      created_at: owner.now,
      removed_at: null,
      warned_expiry: null,
    })
    .onConflict((conflict) =>
      conflict.column("payment_method").doUpdateSet((eb) => ({
        brand: eb.ref("excluded.brand"),
        last4: eb.ref("excluded.last4"),
        exp_month: eb.ref("excluded.exp_month"),
        exp_year: eb.ref("excluded.exp_year"),
      })),
    )
    .execute();
}

export async function markRemoved(trx: Trx, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("saved_cards")
    .set({ removed_at: now, is_default: false })
    .where("id", "in", ids)
    .execute();
}

export async function setDefault(trx: Trx, userId: string, cardId: string): Promise<void> {
  await trx
    .updateTable("saved_cards")
    .set({ is_default: false })
    .where("user_id", "=", userId)
    .where("is_default", "=", true)
    .where("id", "<>", cardId)
    .execute();
  await trx.updateTable("saved_cards").set({ is_default: true }).where("id", "=", cardId).execute();
}

/** An expiry as it is stored and compared, `2026-11`. */
const expiry = sql<string>`to_char(make_date(exp_year, exp_month, 1), 'YYYY-MM')`;

/**
 * Cards that expire in a month, `2026-11`, or earlier, and whose owner has had no mail about that
 * expiry. Locked until `trx` ends; the ones that another process has taken are left out.
 */
export function takeExpiring(trx: Trx, month: string, max: number) {
  return trx
    .selectFrom("saved_cards")
    .innerJoin("users", "users.id", "saved_cards.user_id")
    .select(["saved_cards.id", "brand", "last4", "email", "locale", expiry.as("expiry")])
    .where("removed_at", "is", null)
    .where("users.deleted_at", "is", null)
    .where(expiry, "<=", month)
    .where("warned_expiry", "is distinct from", expiry)
    .orderBy("saved_cards.id")
    .limit(max)
    .forUpdate("saved_cards")
    .skipLocked()
    .execute();
}

export async function markWarned(trx: Trx, cardId: string, about: string): Promise<void> {
  await trx
    .updateTable("saved_cards")
    .set({ warned_expiry: about })
    .where("id", "=", cardId)
    .execute();
}

export async function insertSetup(
  trx: Trx,
  setup: Insertable<Database["card_setups"]>,
): Promise<void> {
  await trx.insertInto("card_setups").values(setup).execute();
}

export function selectSetup(db: Executor, id: string) {
  return db.selectFrom("card_setups").selectAll().where("id", "=", id).executeTakeFirst();
}

export function selectSetupByReference(db: Executor, account: string, reference: string) {
  return db
    .selectFrom("card_setups")
    .selectAll()
    .where("provider_account", "=", account)
    .where("reference", "=", reference)
    .executeTakeFirst();
}

export async function storeSetupReference(
  db: Executor,
  id: string,
  reference: string,
): Promise<void> {
  await db.updateTable("card_setups").set({ reference }).where("id", "=", id).execute();
}

export async function endSetup(
  db: Executor,
  id: string,
  status: "completed" | "ended",
): Promise<void> {
  await db
    .updateTable("card_setups")
    .set({ status })
    .where("id", "=", id)
    .where("status", "=", "open")
    .execute();
}

export function selectDueSetups(db: Executor, now: Date, max: number) {
  return db
    .selectFrom("card_setups")
    .selectAll()
    .where("status", "=", "open")
    .where("next_poll_at", "<=", now)
    .orderBy("next_poll_at")
    .limit(max)
    .execute();
}

export async function postponeSetup(db: Executor, id: string, nextAt: Date): Promise<void> {
  await db.updateTable("card_setups").set({ next_poll_at: nextAt }).where("id", "=", id).execute();
}

/** @returns the provider's names of the user, which it knows until it is told to forget them */
export async function deleteCards(trx: Trx, userId: string): Promise<string[]> {
  await trx.deleteFrom("card_setups").where("user_id", "=", userId).execute();
  await trx.deleteFrom("saved_cards").where("user_id", "=", userId).execute();
  const customers = await trx
    .deleteFrom("payment_customers")
    .where("user_id", "=", userId)
    .returning("customer_id")
    .execute();
  return customers.map(({ customer_id }) => customer_id);
}
