import { credit } from "#src/features/ledger/ledger.service.ts";
import { noteCountry } from "#src/features/vat/vat.service.ts";
import { claimPromoCode } from "#src/features/promo-codes/promo-codes.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import type { ProviderName } from "#src/schema/payments.ts";
import type { Logger } from "pino";
import { clearing } from "./clearing.ts";
import {
  lockIntent,
  markClosed,
  selectIntent,
  storeOutcome,
  type IntentRow,
} from "./intents.repository.ts";
import type { PayerCountries, PaymentProviders, ProviderRecord } from "./payment-provider.ts";
import { quarantine } from "./quarantine.service.ts";
import {
  decideSettlement,
  isLongOver,
  topUpKeyOf,
  type SettlementDecision,
} from "./settlement.policy.ts";

export interface SettlementDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly providers: PaymentProviders;
  readonly failpoint: Failpoint;
  readonly log: Logger;
}

/** Runs the change in its own transaction, or in the one that holds a request's audit row. */
export type RunInTransaction = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

/** Brings an intent to the state of the provider's own record. */
export type Settle = (intentId: string, run?: RunInTransaction) => Promise<void>;

/**
 * The only way from a payment to the balance, for webhook, return page and poller alike. They may
 * come at once, repeatedly and in any order: the intent is locked before it is read, and the ledger
 * takes each business key once.
 *
 * @throws ProviderMissing, or the provider's error if it does not answer
 */
export function createSettlement(deps: SettlementDeps): Settle {
  const read = createRecordReader(deps);
  const ownTransaction: RunInTransaction = (work) => deps.db.transaction().execute(work);
  return async (intentId, run = ownTransaction) => {
    const intent = await selectIntent(deps.db, intentId);
    if (intent === undefined) throw new Error(`There is no intent ${intentId}`);
    if (intent.status === "completed" || intent.status === "review") return;
    const record = await read(intent);
    if (decideSettlement(intent, record, deps.clock.now()).action === "wait") return;
    await run(async (trx) => {
      const locked = await lockIntent(trx, intentId);
      const verdict = decideSettlement(locked, record, deps.clock.now());
      await apply(trx, deps, locked, { verdict, record });
    });
  };
}

/** The checkout may still be paid, but its provider is not set up here. */
export class ProviderMissing extends Error {
  override name = "ProviderMissing";
}

type ReadRecord = (intent: IntentRow) => Promise<ProviderRecord | null>;

/** @throws ProviderMissing, which is logged once for each provider, or the provider's error */
function createRecordReader({ providers, clock, log }: SettlementDeps): ReadRecord {
  const missed = new Set<ProviderName>();
  return async ({ provider: name, reference, expires_at: expiresAt }) => {
    const provider = providers.named(name);
    if (provider === undefined) {
      if (!missed.has(name)) {
        missed.add(name);
        log.error({ provider: name }, "A top-up belongs to a provider that is not set up");
      }
      if (isLongOver(expiresAt, clock.now())) return null;
      throw new ProviderMissing(`${name} is not set up`);
    }
    // Without a reference the order was never answered, so no payer has the checkout's address.
    return reference === null ? null : provider.readRecord({ reference, expiresAt });
  };
}

async function apply(
  trx: Trx,
  deps: SettlementDeps,
  intent: IntentRow,
  {
    verdict,
    record,
  }: { readonly verdict: SettlementDecision; readonly record: ProviderRecord | null },
): Promise<void> {
  const at = deps.clock.now();
  const kept = { promoState: intent.promo_state, bonusCents: intent.bonusCents, at };
  switch (verdict.action) {
    case "wait":
      return;
    case "credit":
      await noteCountries(trx, intent.user_id, record?.countries ?? {}, at);
      return creditIntent(trx, deps, intent, at);
    case "review":
      deps.log.error(
        { intent: intent.id, provider: intent.provider, reason: verdict.reason },
        "A payment does not match its order: nothing was credited, staff must look at it",
      );
      if (record !== null) await quarantine(trx, { intent, record, reason: verdict.reason, at });
      return storeOutcome(trx, intent.id, {
        ...kept,
        status: "review",
        reviewReason: verdict.reason,
      });
    case "cancel":
    case "expire": {
      const status = verdict.action === "cancel" ? "cancelled" : "expired";
      return storeOutcome(trx, intent.id, { ...kept, status, reviewReason: null });
    }
    case "close":
      await storeOutcome(trx, intent.id, {
        ...kept,
        status: "expired",
        reviewReason: null,
        at: intent.settled_at ?? at,
      });
      return markClosed(trx, intent.id, at);
  }
}

/** The payer's country as evidence for VAT. */
async function noteCountries(
  trx: Trx,
  userId: string,
  { card, wallet }: PayerCountries,
  at: Date,
): Promise<void> {
  if (card !== undefined) await noteCountry(trx, { userId, source: "card", country: card, at });
  if (wallet !== undefined) {
    await noteCountry(trx, { userId, source: "wallet", country: wallet, at });
  }
}

async function creditIntent(
  trx: Trx,
  deps: SettlementDeps,
  intent: IntentRow,
  at: Date,
): Promise<void> {
  const { id, user_id: userId } = intent;
  // The code is locked first, so that waiting for it does not hold a balance locked.
  const hasBonus = await claimBonus(trx, intent, at);
  await credit(trx, {
    kind: "top_up",
    from: clearing[intent.provider],
    to: "cash",
    userId,
    cents: intent.amountCents,
    businessKey: topUpKeyOf(id),
    at,
  });
  if (hasBonus && intent.bonusCents > 0) {
    await credit(trx, {
      kind: "promo_bonus",
      from: "promo_expense",
      to: "bonus",
      userId,
      cents: intent.bonusCents,
      businessKey: `promo-bonus:${id}`,
      at,
    });
  }
  deps.failpoint("credit-posted");
  const promoState = hasBonus ? ("applied" as const) : ("not_applied" as const);
  await storeOutcome(trx, id, {
    status: "completed",
    reviewReason: null,
    promoState: intent.promo_code_id === null ? null : promoState,
    bonusCents: hasBonus ? intent.bonusCents : 0,
    at,
  });
}

async function claimBonus(trx: Trx, intent: IntentRow, now: Date): Promise<boolean> {
  if (intent.promo_code_id === null) return false;
  return claimPromoCode(trx, {
    promoCodeId: intent.promo_code_id,
    userId: intent.user_id,
    intentId: intent.id,
    bonusCents: intent.bonusCents,
    now,
  });
}
