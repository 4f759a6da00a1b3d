import { allowDebt, lockBalance, post } from "#src/features/ledger/ledger.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import type { Logger } from "pino";
import { clearing } from "./clearing.ts";
import { lockIntent, selectIntent, type IntentRow } from "./intents.repository.ts";
import type { PaymentProviders, ProviderReversal } from "./payment-provider.ts";
import { failRefund } from "./refunds.repository.ts";
import { refundKeyOf } from "./refunds.policy.ts";
import { topUpKeyOf } from "./settlement.policy.ts";

export interface ReversalsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly providers: PaymentProviders;
  readonly failpoint: Failpoint;
  readonly log: Logger;
}

/** Brings the ledger to the provider's own record of refunds and disputes of one payment. */
export type SettleReversals = (intentId: string) => Promise<void>;

/**
 * The only way from a refund or dispute to the balance. Calls may come at once, repeatedly and in
 * any order: what was taken and what came back are posted together, each once by its business key,
 * so that an older reading cannot undo a newer one.
 */
export function createReversalSettlement(deps: ReversalsDeps): SettleReversals {
  return async (intentId) => {
    const intent = await selectIntent(deps.db, intentId);
    if (intent?.status !== "completed" || intent.reference === null) return;
    const provider = deps.providers.named(intent.provider);
    // Another account's record would be about another payment.
    if (provider?.readReversals === undefined || provider.account !== intent.provider_account) {
      return;
    }
    const reversals = await provider.readReversals({ reference: intent.reference });
    if (reversals.length === 0) return;
    await deps.db.transaction().execute(async (trx) => {
      const locked = await lockIntent(trx, intentId);
      for (const reversal of reversals) await apply(trx, deps, locked, reversal);
    });
  };
}

async function apply(
  trx: Trx,
  deps: ReversalsDeps,
  intent: IntentRow,
  reversal: ProviderReversal,
): Promise<void> {
  const { id, kind, refundId, amountCents, currency, state } = reversal;
  if (currency !== intent.currency || amountCents <= 0 || amountCents > intent.amountCents) {
    deps.log.error(
      { intent: intent.id, reversal: id, amountCents, currency },
      "A refund or dispute does not match its payment: nothing was posted, staff must look at it",
    );
    return;
  }
  // The refunds of this installation were posted when they were ordered.
  const businessKey =
    refundId === null ? `${kind}:${intent.provider}:${id}` : refundKeyOf(refundId);
  const movement = { kind, businessKey, cents: amountCents, at: deps.clock.now() };
  await takeBack(trx, intent, movement);
  if (state === "returned") {
    await giveBack(trx, intent, movement);
    if (refundId !== null) await failRefund(trx, refundId, "the bank sent it back");
  }
  deps.failpoint("reversal-posted");
}

interface Movement {
  readonly kind: "refund" | "dispute";
  readonly businessKey: string;
  readonly cents: number;
  readonly at: Date;
}

/** The money has left already, so it is owed where it was spent before. */
async function takeBack(trx: Trx, intent: IntentRow, movement: Movement): Promise<void> {
  const { user_id: userId } = intent;
  const { cents, ...txn } = movement;
  const { cashCents } = await lockBalance(trx, userId);
  if (cashCents < cents) await allowDebt(trx, userId);
  await post(trx, {
    ...txn,
    corrects: topUpKeyOf(intent.id),
    postings: [
      { kind: "cash", userId, cents: -cents },
      { kind: clearing[intent.provider], cents },
    ],
  });
}

/** The money is here again: the refund failed, or the dispute was won. */
export async function giveBack(
  trx: Trx,
  intent: Pick<IntentRow, "user_id" | "provider">,
  { kind, businessKey, cents, at }: Movement,
): Promise<void> {
  await post(trx, {
    kind,
    businessKey: `${businessKey}:returned`,
    at,
    postings: [
      { kind: "cash", userId: intent.user_id, cents },
      { kind: clearing[intent.provider], cents: -cents },
    ],
  });
}
