import { topUpReturnPath } from "@palisade/contract/console-paths";
import { BusinessKeyTaken } from "#src/features/ledger/ledger.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { CardProvider, ChargeableCard } from "./card-provider.service.ts";
import { nextCharge, type CardChargeResult, type ChargeStep } from "./card-charges.policy.ts";
import {
  insertCharge,
  lockCharges,
  selectCharges,
  selectPayer,
  type NewCharge,
} from "./card-charges.repository.ts";
import {
  lockIntent,
  selectIntent,
  storeOutcome,
  storeReference,
  type IntentRow,
} from "./intents.repository.ts";
import type { PaymentProviders } from "./payment-provider.ts";
import type { Settle } from "./settlement.service.ts";

/**
 * Charges the user's default card while they are away, as a top-up of their cash: what it is for is
 * then charged to the balance. It takes the money once for each business key, however often and by
 * however many processes it is called. After a decline the next call tries again, at most once an hour.
 *
 * Call it outside of transactions, because it waits for the provider.
 *
 * @throws DomainError `unavailable` while it is not known whether the money was taken: repeat the call
 * @throws BusinessKeyTaken if the key stands for another user or amount
 */
export type ChargeSavedCard = (
  userId: string,
  cents: number,
  businessKey: string,
) => Promise<CardChargeResult>;

export interface CardChargesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly failpoint: Failpoint;
  readonly providers: PaymentProviders;
  /** Undefined: no provider keeps cards here. */
  readonly cards: CardProvider | undefined;
  readonly defaultCard: (db: Executor, userId: string) => Promise<ChargeableCard | undefined>;
  readonly settle: Settle;
}

interface Order {
  readonly userId: string;
  readonly cents: number;
  readonly businessKey: string;
}

const minuteMs = 60_000;

/** Long enough for repetitions after a lost answer; after that the charge is cancelled. */
const chargeLifeMs = 30 * minuteMs;

/** Stripe keeps a checkout open for 24 hours at most. */
const authenticationLifeMs = 23 * 60 * minuteMs;

export function createCardCharges(deps: CardChargesDeps): ChargeSavedCard {
  return async (userId, cents, businessKey) => {
    if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError(`${cents} is no amount`);
    const order = { userId, cents, businessKey };
    await settleOpen(deps, businessKey);
    const step = await beginCharge(deps, order);
    switch (step.action) {
      case "answer":
        return step.result;
      case "charge":
        return charge(deps, order, step.intent);
      case "authenticate":
        return authenticate(deps, step.intent);
    }
  };
}

/** Asks the provider about attempts whose end is not stored. */
async function settleOpen({ db, settle }: CardChargesDeps, businessKey: string): Promise<void> {
  for (const attempt of await selectCharges(db, businessKey)) {
    const isOpen = attempt.status === "pending" || attempt.status === "expired";
    if (isOpen && attempt.reference !== null && attempt.closed_at === null) {
      await settle(attempt.id).catch(unanswered);
    }
  }
}

/** Decides under a lock, so that of two callers one begins an attempt and the other continues it. */
function beginCharge(deps: CardChargesDeps, order: Order): Promise<ChargeStep> {
  const { db, clock, cards, defaultCard } = deps;
  return db.transaction().execute(async (trx) => {
    await lockCharges(trx, order.businessKey);
    const attempts = await selectCharges(trx, order.businessKey);
    const isOther = attempts.some(
      ({ user_id, amountCents }) => user_id !== order.userId || amountCents !== order.cents,
    );
    if (isOther) throw new BusinessKeyTaken(order.businessKey);
    const now = clock.now();
    const step = nextCharge(attempts, now);
    if (step !== "begin") return step;
    if (cards?.isReady() === false) throw new DomainError("unavailable");
    const card = await defaultCard(trx, order.userId);
    if (cards === undefined || card === undefined) {
      return { action: "answer", result: { outcome: "declined", reason: "no card" } };
    }
    const intent = await addAttempt(trx, cards, order, {
      origin: "saved_card",
      card,
      createdAt: now,
      expiresAt: new Date(now.getTime() + chargeLifeMs),
    });
    return { action: "charge", intent };
  });
}

function addAttempt(
  trx: Trx,
  cards: CardProvider,
  { userId, cents, businessKey }: Order,
  attempt: Pick<NewCharge, "origin" | "card" | "createdAt" | "expiresAt">,
): Promise<IntentRow> {
  return insertCharge(trx, {
    userId,
    provider: cards.name,
    account: cards.account,
    amountCents: cents,
    businessKey,
    ...attempt,
  });
}

/** The charge gets its reference before it moves money, so that no lost answer hides money. */
async function charge(
  deps: CardChargesDeps,
  order: Order,
  intent: IntentRow,
): Promise<CardChargeResult> {
  const { db, cards, settle, failpoint } = deps;
  if (cards?.name !== intent.provider || cards.account !== intent.provider_account) {
    throw new DomainError("unavailable");
  }
  const reference = intent.reference ?? (await prepare(deps, cards, intent));
  if (reference === null) return refuse(deps, intent);
  const answer = await cards.confirmCharge({ intentId: intent.id, reference }).catch(unanswered);
  failpoint("charge-confirmed");
  if (answer !== "carried out") await cards.cancelCharge(reference).catch(unanswered);
  await settle(intent.id).catch(unanswered);
  const settled = await selectIntent(db, intent.id);
  if (answer === "authentication" && settled?.status === "cancelled") {
    return startAuthentication(deps, order);
  }
  if (settled?.status === "completed") return { outcome: "paid", intentId: intent.id };
  if (settled?.status === "cancelled") return { outcome: "declined", reason: "refused" };
  if (settled?.status === "review") return { outcome: "declined", reason: "in review" };
  throw new DomainError("unavailable");
}

async function prepare(
  { db, failpoint }: CardChargesDeps,
  cards: CardProvider,
  intent: IntentRow,
): Promise<string | null> {
  const { id: intentId, amountCents, charged_customer, charged_card } = intent;
  const card = { customerId: charged_customer ?? "", paymentMethod: charged_card ?? "" };
  const reference = await cards.prepareCharge({ intentId, amountCents, card }).catch(unanswered);
  failpoint("charge-prepared");
  if (reference === null) return null;
  if (!(await storeReference(db, intentId, reference))) throw new DomainError("unavailable");
  return reference;
}

/** Without a reference there is nothing at the provider that could still take money. */
async function refuse(
  { db, clock }: CardChargesDeps,
  { id }: IntentRow,
): Promise<CardChargeResult> {
  await db.transaction().execute(async (trx) => {
    const { status, reference } = await lockIntent(trx, id);
    if (status !== "pending" || reference !== null) return;
    const outcome = { reviewReason: null, promoState: null, bonusCents: 0, at: clock.now() };
    await storeOutcome(trx, id, { status: "cancelled", ...outcome });
  });
  return { outcome: "declined", reason: "refused" };
}

async function startAuthentication(deps: CardChargesDeps, order: Order): Promise<CardChargeResult> {
  const { db, clock, cards } = deps;
  if (cards === undefined) throw new DomainError("unavailable");
  const intent = await db.transaction().execute(async (trx) => {
    await lockCharges(trx, order.businessKey);
    const attempts = await selectCharges(trx, order.businessKey);
    const pending = attempts.find(({ status }) => status === "pending");
    if (pending !== undefined) return pending;
    const now = clock.now();
    return addAttempt(trx, cards, order, {
      origin: "authentication",
      createdAt: now,
      expiresAt: new Date(now.getTime() + authenticationLifeMs),
    });
  });
  return authenticate(deps, intent);
}

/** The mail is stored with the checkout's reference, so one mail leaves for each checkout. */
async function authenticate(deps: CardChargesDeps, intent: IntentRow): Promise<CardChargeResult> {
  const { db, mailer, providers } = deps;
  const result = { outcome: "needs-authentication", until: intent.expires_at } as const;
  if (intent.reference !== null) return result;
  const provider = providers.named(intent.provider);
  if (provider === undefined) throw new DomainError("unavailable");
  const { reference, url } = await provider
    .createCheckout(
      {
        intentId: intent.id,
        paymentMethod: intent.payment_method,
        amountCents: intent.amountCents,
        currency: intent.currency,
        expiresAt: intent.expires_at,
        successPath: topUpReturnPath(intent.id, "paid"),
        cancelPath: topUpReturnPath(intent.id, "cancelled"),
      },
      AbortSignal.timeout(10_000),
    )
    .catch(unanswered);
  await db.transaction().execute(async (trx) => {
    const payer = await selectPayer(trx, intent.user_id);
    const before = await selectIntent(trx, intent.id);
    if (before?.reference !== null) return;
    if (!(await storeReference(trx, intent.id, reference)) || payer === undefined) return;
    await mailer.enqueue(trx, {
      to: payer.email,
      template: "cards.authenticate",
      locale: payer.locale,
      values: { cents: intent.amountCents, url, until: intent.expires_at.toISOString() },
      usefulUntil: intent.expires_at,
    });
  });
  return result;
}

function unanswered(error: unknown): never {
  throw new DomainError("unavailable", { cause: error });
}
