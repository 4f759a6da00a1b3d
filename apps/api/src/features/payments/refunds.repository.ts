import type { Insertable } from "kysely";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type RefundRow = NonNullable<Awaited<ReturnType<typeof selectRefund>>>;

function refunds(db: Executor) {
  return db
    .selectFrom("payment_refunds")
    .innerJoin("payment_intents", "payment_intents.id", "payment_refunds.intent_id")
    .selectAll("payment_refunds")
    .select([
      "payment_intents.user_id",
      "payment_intents.provider",
      "payment_intents.provider_account",
      "payment_intents.reference",
    ]);
}

export function selectRefund(db: Executor, id: string) {
  return refunds(db).where("payment_refunds.id", "=", id).executeTakeFirst();
}

export function selectRefundByKey(db: Executor, requestKey: string) {
  return refunds(db).where("request_key", "=", requestKey).executeTakeFirst();
}

export async function insertRefund(
  trx: Trx,
  refund: Insertable<Database["payment_refunds"]>,
): Promise<void> {
  await trx.insertInto("payment_refunds").values(refund).execute();
}

/** The cents of a payment that have been refunded or are about to be. Disputes are in the ledger only. */
export async function sumRefunds(db: Executor, intentId: string): Promise<number> {
  const { sum } = await db
    .selectFrom("payment_refunds")
    .select(({ fn }) => fn.sum<string | null>("cents").as("sum"))
    .where("intent_id", "=", intentId)
    .where("status", "<>", "failed")
    .executeTakeFirstOrThrow();
  return readCents(sum ?? "0");
}

export async function markOrdered(db: Executor, id: string): Promise<void> {
  await db
    .updateTable("payment_refunds")
    .set({ status: "ordered" })
    .where("id", "=", id)
    .where("status", "=", "requested")
    .execute();
}

/** @returns false if it had failed before */
export async function failRefund(trx: Trx, id: string, failure: string): Promise<boolean> {
  const result = await trx
    .updateTable("payment_refunds")
    .set({ status: "failed", failure })
    .where("id", "=", id)
    .where("status", "<>", "failed")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Refunds that no process has ordered yet; their next time is set, so that two do not meet. */
export function takeDueRefunds(db: Db, now: Date, max: number) {
  return db
    .selectFrom("payment_refunds")
    .select(["id", "tries"])
    .where("status", "=", "requested")
    .where("next_try_at", "<=", now)
    .orderBy("next_try_at")
    .limit(max)
    .execute();
}

export async function postponeRefund(
  db: Executor,
  id: string,
  { tries, nextAt }: { readonly tries: number; readonly nextAt: Date },
): Promise<void> {
  await db
    .updateTable("payment_refunds")
    .set({ tries, next_try_at: nextAt })
    .where("id", "=", id)
    .execute();
}
