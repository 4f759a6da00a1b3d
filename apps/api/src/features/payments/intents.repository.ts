import { sql, type Insertable } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { Database } from "#src/schema/database.ts";
import type { IntentStatus, PromoState, ProviderName } from "#src/schema/payments.ts";

export type IntentRow = Awaited<ReturnType<typeof selectIntent>> & object;

function intents(db: Executor) {
  return db
    .selectFrom("payment_intents")
    .leftJoin("promo_codes", "promo_codes.id", "payment_intents.promo_code_id")
    .selectAll("payment_intents")
    .select(["promo_codes.code as promo_code", "promo_codes.percentage as promo_percentage"]);
}

function readIntent<Row extends { amount_cents: string; bonus_cents: string }>(row: Row) {
  return {
    ...row,
    amountCents: readCents(row.amount_cents),
    bonusCents: readCents(row.bonus_cents),
  };
}

export async function selectIntent(db: Executor, id: string) {
  const row = await intents(db).where("payment_intents.id", "=", id).executeTakeFirst();
  return row && readIntent(row);
}

type Intents = ReturnType<typeof intents>;

export async function selectIntents(
  db: Executor,
  choose: (all: Intents) => Intents,
): Promise<IntentRow[]> {
  return (await choose(intents(db)).execute()).map(readIntent);
}

export async function selectIntentOf(
  db: Executor,
  userId: string,
  id: string,
): Promise<IntentRow | undefined> {
  const row = await intents(db)
    .where("payment_intents.id", "=", id)
    .where("payment_intents.user_id", "=", userId)
    .executeTakeFirst();
  return row && readIntent(row);
}

/** Locked until `trx` ends: a second settlement waits here and then sees the result of the first. */
export async function lockIntent(trx: Trx, id: string): Promise<IntentRow> {
  const row = await intents(trx)
    .where("payment_intents.id", "=", id)
    .forUpdate("payment_intents")
    .executeTakeFirstOrThrow();
  return readIntent(row);
}

export function selectIntentByReference(db: Executor, provider: ProviderName, reference: string) {
  return db
    .selectFrom("payment_intents")
    .select(["id", "user_id"])
    .where("provider", "=", provider)
    .where("reference", "=", reference)
    .executeTakeFirst();
}

export async function insertIntent(
  trx: Trx,
  intent: Insertable<Database["payment_intents"]>,
): Promise<void> {
  await trx.insertInto("payment_intents").values(intent).execute();
}

/** @returns false if the intent has another reference, or has ended without one */
export async function storeReference(
  db: Executor,
  id: string,
  reference: string,
): Promise<boolean> {
  const result = await db
    .updateTable("payment_intents")
    .set({ reference })
    .where("id", "=", id)
    .where((eb) =>
      eb.or([
        eb("reference", "=", reference),
        eb.and([eb("reference", "is", null), eb("status", "=", "pending")]),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function storeOutcome(
  trx: Trx,
  id: string,
  outcome: {
    readonly status: Exclude<IntentStatus, "pending">;
    readonly reviewReason: string | null;
    readonly promoState: PromoState | null;
    readonly bonusCents: number;
    readonly at: Date;
  },
): Promise<void> {
  await trx
    .updateTable("payment_intents")
    .set({
      status: outcome.status,
      review_reason: outcome.reviewReason,
      promo_state: outcome.promoState,
      bonus_cents: outcome.bonusCents,
      settled_at: outcome.at,
    })
    .where("id", "=", id)
    .execute();
}

/** Ends an intent in review without a credit; from now on nothing changes it. */
export async function endReview(trx: Trx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable("payment_intents")
    .set({ status: "cancelled", review_reason: null, resolved_at: at })
    .where("id", "=", id)
    .where("status", "=", "review")
    .execute();
}

export async function markClosed(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable("payment_intents").set({ closed_at: at }).where("id", "=", id).execute();
}

/** Makes the user's other top-ups wait until `trx` ends, so that each counts the one before. */
export async function lockTopUps(trx: Trx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`top-ups of ${userId}`}, 0))`.execute(
    trx,
  );
}

/**
 * The cents that the user's checkouts since a moment have taken or may still take.
 *
 * @param orderedSince unanswered orders from before it are not repeated any more, so they do not count
 */
export async function sumTopUps(
  db: Executor,
  userId: string,
  { since, orderedSince }: { readonly since: Date; readonly orderedSince: Date },
): Promise<number> {
  const { sum } = await db
    .selectFrom("payment_intents")
    .select(({ fn }) => fn.sum<string | null>("amount_cents").as("sum"))
    .where("user_id", "=", userId)
    .where("created_at", ">=", since)
    .where("origin", "=", "checkout")
    .where("status", "!=", "cancelled")
    .where((eb) => eb.or([eb("status", "!=", "expired"), eb("closed_at", "is", null)]))
    .where((eb) => eb.or([eb("reference", "is not", null), eb("created_at", ">", orderedSince)]))
    .executeTakeFirstOrThrow();
  return readCents(sum ?? "0");
}

/** Due intents of every provider; a provider with a backlog leaves room for the others. */
export async function selectDueIntents(db: Executor, now: Date, maxOfEach: number) {
  const { rows } = await sql<{
    id: string;
    provider: ProviderName;
    status: IntentStatus;
    polls: number;
    expires_at: Date;
  }>`
    select id, provider, status, polls, expires_at from (
      select *, row_number() over (partition by provider order by next_poll_at) as place
      from payment_intents
      where status in ('pending', 'expired') and next_poll_at <= ${now}
    ) due
    where place <= ${maxOfEach}
    order by next_poll_at
  `.execute(db);
  return rows;
}

export async function postponePoll(
  db: Executor,
  id: string,
  poll: { readonly polls: number; readonly nextAt: Date | null },
): Promise<void> {
  await db
    .updateTable("payment_intents")
    .set({ polls: poll.polls, next_poll_at: poll.nextAt })
    .where("id", "=", id)
    .where("status", "in", ["pending", "expired"])
    .execute();
}
