import { savedCardsMax } from "@palisade/contract/http/payment-methods";
import { cardReturnPath } from "@palisade/contract/console-paths";
import type {
  CardProvider,
  ChargeableCard,
  ProviderCard,
} from "#src/features/payments/card-provider.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import {
  endSetup,
  insertCustomer,
  insertSetup,
  lockCustomer,
  markRemoved,
  selectCards,
  selectCustomer,
  selectDefaultCard,
  selectOwnerOfCustomer,
  selectSetup,
  selectSetupByReference,
  setDefault,
  storeSetupReference,
  upsertCard,
  type CardRow,
} from "./payment-methods.repository.ts";

export interface PaymentMethodsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  /** Undefined: no provider keeps cards here. */
  readonly cards: CardProvider | undefined;
}

export const removalJob = "payment-methods.remove";
const firstPollMs = 10 * 60_000;

/** The card that is charged while its owner is away. */
export function createDefaultCard(cards: CardProvider | undefined) {
  return async (db: Executor, userId: string): Promise<ChargeableCard | undefined> => {
    if (cards?.isReady() !== true) return undefined;
    const card = await selectDefaultCard(db, userId, cards.account);
    return card && { customerId: card.customer_id, paymentMethod: card.payment_method };
  };
}

/** @throws DomainError `payment_unavailable` */
export function requireCards({ cards }: PaymentMethodsDeps): CardProvider {
  if (cards?.isReady() !== true) throw new DomainError("payment_unavailable");
  return cards;
}

export function listCards(
  { db, cards }: Pick<PaymentMethodsDeps, "db" | "cards">,
  userId: string,
): Promise<CardRow[]> {
  return cards?.isReady() === true ? selectCards(db, userId, cards.account) : Promise.resolve([]);
}

/** @throws DomainError `payment_unavailable`, `conflict` when the user has saved too many */
export async function beginSetup(
  trx: Trx,
  deps: PaymentMethodsDeps,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<string> {
  const { account } = requireCards(deps);
  if ((await selectCards(trx, userId, account)).length >= savedCardsMax) {
    throw new DomainError("conflict", { text: "cards.full", values: { max: savedCardsMax } });
  }
  const id = newId();
  await insertSetup(trx, {
    id,
    user_id: userId,
    provider_account: account,
    reference: null,
    status: "open",
    created_at: now,
    next_poll_at: new Date(now.getTime() + firstPollMs),
  });
  return id;
}

/** Orders the provider's page. Every call for one set-up returns the same page. */
export async function orderSetup(
  deps: PaymentMethodsDeps,
  userId: string,
  setupId: string,
): Promise<string> {
  const cards = requireCards(deps);
  const customerId = await customerOf(deps, cards, userId).catch(unanswered);
  const { reference, url } = await cards
    .createSetup({
      setupId,
      customerId,
      successPath: cardReturnPath(setupId, "saved"),
      cancelPath: cardReturnPath(setupId, "cancelled"),
    })
    .catch(unanswered);
  await storeSetupReference(deps.db, setupId, reference);
  return url;
}

function unanswered(error: unknown): never {
  throw new DomainError("unavailable", { retryAfterSeconds: 5, cause: error });
}

async function customerOf(
  { db, clock }: PaymentMethodsDeps,
  cards: CardProvider,
  userId: string,
): Promise<string> {
  const { account } = cards;
  const known = await selectCustomer(db, userId, account);
  if (known !== undefined) return known;
  await insertCustomer(db, {
    user_id: userId,
    provider_account: account,
    customer_id: await cards.createCustomer(userId),
    created_at: clock.now(),
  });
  const stored = await selectCustomer(db, userId, account);
  if (stored === undefined) throw new Error(`${userId} has no customer`);
  return stored;
}

/**
 * Takes over what the provider says about a set-up. The page that the browser returns to, the
 * provider's event and the poller all end here.
 */
export async function settleSetup(deps: PaymentMethodsDeps, setupId: string): Promise<void> {
  const { db, cards } = deps;
  const setup = await selectSetup(db, setupId);
  if (setup?.status !== "open" || setup.reference === null) return;
  if (cards?.isReady() !== true || cards.account !== setup.provider_account) return;
  const record = await cards.readSetup(setup.reference);
  if (record?.status === "open") return;
  const isOurs =
    record?.setupId === setupId &&
    record.customerId === (await selectCustomer(db, setup.user_id, cards.account));
  if (record?.status === "completed" && isOurs) {
    await syncCards(deps, setup.user_id);
    await endSetup(db, setupId, "completed");
  } else {
    await endSetup(db, setupId, "ended");
  }
}

/** Brings the user's cards to the provider's own list. */
export async function syncCards(deps: PaymentMethodsDeps, userId: string): Promise<void> {
  const { db, clock, cards } = deps;
  if (cards?.isReady() !== true) return;
  const { account } = cards;
  const customerId = await selectCustomer(db, userId, account);
  if (customerId === undefined) return;
  const askedAt = clock.now();
  const listed = await cards.listCards(customerId);
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, userId, account);
    const now = clock.now();
    for (const card of listed.filter(isUsable)) {
      await upsertCard(trx, card, { userId, account, customerId, now });
    }
    const kept = new Set(listed.map(({ paymentMethod }) => paymentMethod));
    const gone = (await selectCards(trx, userId, account)).filter(
      // One that was saved after the list was asked for is not missing from it.
      ({ payment_method, created_at }) => !kept.has(payment_method) && created_at < askedAt,
    );
    await markRemoved(
      trx,
      gone.map(({ id }) => id),
      now,
    );
    await chooseDefault(trx, userId, account);
  });
}

/** A card that the tables would refuse must not keep the others from being taken over. */
function isUsable({ last4, expMonth, expYear }: ProviderCard): boolean {
  return /^[0-9]{4}$/.test(last4) && expMonth >= 1 && expMonth <= 12 && expYear >= 2000;
}

/** Without a default, the newest card becomes it. */
async function chooseDefault(trx: Trx, userId: string, account: string): Promise<void> {
  const [first] = await selectCards(trx, userId, account);
  if (first !== undefined && !first.is_default) await setDefault(trx, userId, first.id);
}

/** @throws DomainError `not_found` */
export async function chooseCard(
  trx: Trx,
  deps: PaymentMethodsDeps,
  userId: string,
  cardId: string,
): Promise<void> {
  await lockOwnCard(trx, deps, userId, cardId);
  await setDefault(trx, userId, cardId);
}

/**
 * The card is charged no more from the commit on; the provider is told by a job.
 *
 * @throws DomainError `not_found`
 */
export async function removeCard(
  trx: Trx,
  deps: PaymentMethodsDeps,
  userId: string,
  cardId: string,
): Promise<void> {
  const card = await lockOwnCard(trx, deps, userId, cardId);
  await markRemoved(trx, [card.id], deps.clock.now());
  await chooseDefault(trx, userId, card.provider_account);
  await deps.jobs.send(trx, removalJob, { paymentMethod: card.payment_method });
}

async function lockOwnCard(
  trx: Trx,
  { cards }: PaymentMethodsDeps,
  userId: string,
  cardId: string,
): Promise<CardRow> {
  if (cards?.isReady() !== true) throw new DomainError("not_found");
  await lockCustomer(trx, userId, cards.account);
  const card = (await selectCards(trx, userId, cards.account)).find(({ id }) => id === cardId);
  if (card === undefined) throw new DomainError("not_found");
  return card;
}

/** Follows an event about a set-up or a customer. @returns whether it is about one of ours */
export async function followReference(
  deps: PaymentMethodsDeps,
  provider: string,
  reference: string,
): Promise<boolean> {
  const { db, cards } = deps;
  if (cards?.isReady() !== true || cards.name !== provider) return false;
  const setup = await selectSetupByReference(db, cards.account, reference);
  if (setup !== undefined) {
    await settleSetup(deps, setup.id);
    return true;
  }
  const owner = await selectOwnerOfCustomer(db, cards.account, reference);
  if (owner !== undefined) await syncCards(deps, owner.user_id);
  return owner !== undefined;
}
