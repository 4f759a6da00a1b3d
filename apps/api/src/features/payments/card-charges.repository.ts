import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { IntentOrigin, ProviderName } from "#src/schema/payments.ts";
import type { ChargeableCard } from "./card-provider.service.ts";
import { insertIntent, lockIntent, selectIntents, type IntentRow } from "./intents.repository.ts";
import { firstPollDelayMs } from "./poll.policy.ts";

export interface NewCharge {
  readonly userId: string;
  readonly provider: ProviderName;
  readonly account: string;
  readonly amountCents: number;
  readonly businessKey: string;
  readonly origin: Exclude<IntentOrigin, "checkout">;
  /** The card that is charged; undefined for a checkout. */
  readonly card?: ChargeableCard;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Makes other callers of the same charge wait until `trx` ends. */
export async function lockCharges(trx: Trx, businessKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charge ${businessKey}`}, 0))`.execute(
    trx,
  );
}

/** Every attempt at one charge, the newest first. */
export function selectCharges(db: Executor, businessKey: string): Promise<IntentRow[]> {
  return selectIntents(db, (intents) =>
    intents
      .where("payment_intents.business_key", "=", businessKey)
      .orderBy("payment_intents.created_at", "desc")
      .orderBy("payment_intents.id", "desc"),
  );
}

export async function insertCharge(trx: Trx, charge: NewCharge): Promise<IntentRow> {
  const id = newId();
  await insertIntent(trx, {
    id,
    user_id: charge.userId,
    payment_method: "stripe",
    provider: charge.provider,
    provider_account: charge.account,
    reference: null,
    amount_cents: charge.amountCents,
    currency: "EUR",
    promo_code_id: null,
    promo_state: null,
    bonus_cents: 0,
    status: "pending",
    review_reason: null,
    created_at: charge.createdAt,
    expires_at: charge.expiresAt,
    settled_at: null,
    next_poll_at: new Date(charge.createdAt.getTime() + firstPollDelayMs),
    origin: charge.origin,
    business_key: charge.businessKey,
    charged_customer: charge.card?.customerId ?? null,
    charged_card: charge.card?.paymentMethod ?? null,
  });
  return lockIntent(trx, id);
}

/** The receiver of the mail; undefined if the account has been deleted. */
export function selectPayer(db: Executor, userId: string) {
  return db
    .selectFrom("users")
    .select(["email", "locale"])
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}
