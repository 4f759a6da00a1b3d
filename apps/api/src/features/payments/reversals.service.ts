import { allowDebt, lockBalance, post } from "#src/features/ledger/ledger.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import type { Logger } from "pino";
import { clearing } from "./clearing.ts";
import { lockIntent, selectIntent, type IntentRow } from "./intents.repository.ts";
import type { PaymentProviders, ProviderReversal } from "./payment-provider.ts";
import { quarantineReversal } from "./quarantine.service.ts";
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
    if (provider?.readReversals === undefined) return;
    const reversals = await provider.readReversals({ reference: intent.reference });
    if (reversals.length === 0) return;
    await deps.db.transaction().execute(async (trx) => {
      const locked = await lockIntent(trx, intentId);
      for (const reversal of reversals) {
        await apply(trx, deps, { intent: locked, reversal, account: provider.account });
      }
    });
  };
}

async function apply(
  trx: Trx,
  deps: ReversalsDeps,
  found: {
    readonly intent: IntentRow;
    readonly reversal: ProviderReversal;
    /** The account of the provider that told of it. */
    readonly account: string;
  },
): Promise<void> {
  const { intent, reversal } = found;
  const { id, kind, refundId, amountCents, state } = reversal;
  const reason = mismatch(found);
  if (reason !== null) {
    const isNew = await quarantineReversal(trx, { ...found, reason, at: deps.clock.now() });
    if (!isNew) return;
    deps.log.error(
      { intent: intent.id, reversal: id, reason },
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

/** Null if the reversal is of this payment, or of a part of it. */
function mismatch({
  intent,
  reversal: { kind, amountCents, currency },
  account,
}: Parameters<typeof apply>[2]): string | null {
  const wrong = [
    ...(amountCents <= 0 || amountCents > intent.amountCents
      ? [`amount ${amountCents} of ${intent.amountCents}`]
      : []),
    ...(currency === intent.currency ? [] : [`currency ${currency}, not ${intent.currency}`]),
    ...(account === intent.provider_account
      ? []
      : [`account ${account}, not ${intent.provider_account}`]),
  ];
  return wrong.length === 0 ? null : `${kind}: ${wrong.join("; ")}`;
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
