import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { planLimitsOf } from "#src/features/plans/plans.service.ts";
import { balanceOf, charge } from "#src/features/ledger/ledger.service.ts";
import { readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import { grossPrices } from "#src/features/vat/vat.service.ts";
import { announce } from "#src/features/notifications/notification-events.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { RenewalNotice } from "#src/schema/subscriptions.ts";
import { addMonths, firstTryAt } from "#src/features/subscriptions/billing-period.service.ts";
import { isRenewable } from "#src/features/subscriptions/renewal-forecast.service.ts";
import { exceededLimits } from "./plan-fit.service.ts";
import {
  cardTriesMax,
  graceMs,
  isGraceOver,
  isNews,
  leaseMs,
  nextTryAt,
  noticeAt,
  renewalKey,
} from "./renewal.policy.ts";
import { refreshTraffic } from "./traffic-limits.service.ts";
import type { CardCharge, SavedCards } from "#src/features/subscriptions/saved-cards.service.ts";
import {
  deleteSubscription,
  isUnderAttack,
  lockSubscription,
  setShieldPlan,
  setShieldStatus,
  updateSubscription,
  type SubscriptionRow,
} from "./renewals.repository.ts";

export interface RenewalDeps {
  readonly db: Db;
  readonly writes: ShieldWrites;
  readonly cards: SavedCards;
  readonly mailer: Mailer;
  readonly failpoint: Failpoint;
}

/** A renewal that was begun: what is charged, and what for. */
interface Begun {
  readonly ownerId: string;
  /** With VAT. */
  readonly grossCents: number;
  readonly periodEndsAt: Date;
  readonly triesCard: boolean;
}

/**
 * Takes the next step of a subscription that is due. The card is charged between two transactions.
 * A process that dies in between leaves the renewal to be begun again some minutes later, under the
 * same key, so that nothing is charged twice.
 */
export async function renewDue(deps: RenewalDeps, shieldId: string, now: Date): Promise<void> {
  const begun = await deps.db.transaction().execute((trx) => begin(deps, trx, shieldId, now));
  if (begun === null) return;
  deps.failpoint("renewal-begun");
  const card = begun.triesCard ? await chargeCard(deps.cards, shieldId, begun) : "none";
  deps.failpoint("renewal-card-charged");
  await deps.db.transaction().execute((trx) => finish(deps, trx, { shieldId, begun, card, now }));
}

/** The renewal that is due now; until it is finished, no other process begins it. */
async function begin(
  deps: RenewalDeps,
  trx: Trx,
  shieldId: string,
  now: Date,
): Promise<Begun | null> {
  const row = await lockSubscription(trx, shieldId);
  if (row === undefined || row.status !== "active" || dueAt(row) > now) return null;
  const plan = await beginPlanned(deps, trx, row, now);
  if (plan === "waits" || plan === "free") return null;
  await updateSubscription(trx, shieldId, { next_renewal_at: new Date(now.getTime() + leaseMs) });
  const gross = await grossPrices(trx, row.owner_id, now);
  const { cashCents } = await balanceOf(trx, row.owner_id);
  return {
    ownerId: row.owner_id,
    grossCents: gross(plan === "begun" ? plannedCents(row) : readCents(row.price_cents)),
    periodEndsAt: row.period_ends_at,
    // A charge would pay the debt of a dispute, and not the renewal that the owner allowed.
    triesCard: row.automatic_renewal && row.failed_renewals < cardTriesMax && cashCents >= 0,
  };
}

function dueAt({ next_renewal_at, period_ends_at }: SubscriptionRow): Date {
  return next_renewal_at ?? firstTryAt(period_ends_at);
}

function plannedCents({ planned_price_cents, price_cents }: SubscriptionRow): number {
  return readCents(planned_price_cents ?? price_cents);
}

/**
 * Puts the shield on the plan that its owner has chosen for the next period, once that begins. A
 * plan that no longer fits is not begun: the shield stays on its plan, and the owner is told.
 */
async function beginPlanned(
  { writes, mailer }: RenewalDeps,
  trx: Trx,
  row: SubscriptionRow,
  now: Date,
): Promise<"none" | "waits" | "begun" | "free"> {
  const { shield_id: shieldId, planned_plan_id: planId } = row;
  if (planId === null) return "none";
  if (now < row.period_ends_at) {
    await updateSubscription(trx, shieldId, { next_renewal_at: row.period_ends_at });
    return "waits";
  }
  const noPlan = { planned_plan_id: null, planned_price_cents: null };
  const plan = await planLimitsOf(trx, planId);
  if ((await exceededLimits(trx, shieldId, entitlements(plan), now)).length > 0) {
    await updateSubscription(trx, shieldId, noPlan);
    await tell(mailer, trx, row, "renewals.plan-kept", { plan: row.plan_name });
    return "none";
  }
  await setShieldPlan(trx, shieldId, planId);
  await refreshTraffic(trx, shieldId, now);
  const priceCents = plannedCents(row);
  if (priceCents === 0) await deleteSubscription(trx, shieldId);
  else {
    const changes = { pricing_plan_id: planId, price_cents: priceCents, ...noPlan };
    await updateSubscription(trx, shieldId, changes);
  }
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "plan", before: row.plan_name, after: plan.name },
  ]);
  await writes.commit(trx, shieldId);
  return priceCents === 0 ? "free" : "begun";
}

function chargeCard(
  cards: SavedCards,
  shieldId: string,
  begun: Omit<Begun, "triesCard">,
): Promise<CardCharge> {
  // With the sum, because an upgrade between two tries changes it.
  const key = `card:${renewalKey(shieldId, begun.periodEndsAt)}:${begun.grossCents}`;
  return cards.chargeSavedCard(begun.ownerId, begun.grossCents, key);
}

async function finish(
  deps: RenewalDeps,
  trx: Trx,
  renewal: {
    readonly shieldId: string;
    readonly begun: Begun;
    readonly card: CardCharge;
    readonly now: Date;
  },
): Promise<void> {
  const { shieldId, begun, card, now } = renewal;
  const row = await lockSubscription(trx, shieldId);
  // Renewed, deleted or blocked in between.
  const isSame = row?.period_ends_at.getTime() === begun.periodEndsAt.getTime();
  if (row === undefined || row.status !== "active" || !isSame) return;
  const mayCharge = row.automatic_renewal && (row.include_balance || card === "paid");
  if (mayCharge && (await chargePeriod(deps, trx, row, now))) return;
  if (isGraceOver(row.period_ends_at, now)) return endProtection(deps, trx, row, now);
  await updateSubscription(trx, shieldId, {
    next_renewal_at: nextTryAt(row.period_ends_at, now),
    // A card whose charge is still open is asked about until that is known.
    failed_renewals: row.failed_renewals + (row.automatic_renewal && card !== "unknown" ? 1 : 0),
  });
  const notice = noticeAt(row.period_ends_at, now, row.automatic_renewal);
  if (!(await tellOnce(deps.mailer, trx, row, notice))) return;
  if (notice !== "ending") await announcePlan(trx, row, "plan.renewal_failed", now);
}

/** Never during an attack: then the end is tried again some minutes later. */
async function endProtection(
  { writes, mailer }: RenewalDeps,
  trx: Trx,
  row: SubscriptionRow,
  now: Date,
): Promise<void> {
  const { shield_id: shieldId } = row;
  if (await isUnderAttack(trx, shieldId)) {
    const next_renewal_at = new Date(now.getTime() + leaseMs);
    const failed_renewals = row.failed_renewals + 1;
    return updateSubscription(trx, shieldId, { next_renewal_at, failed_renewals });
  }
  await setShieldStatus(trx, shieldId, "expired");
  await tell(mailer, trx, row, "renewals.expired");
  await announcePlan(trx, row, "plan.expired", now);
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "status", before: "active", after: "expired" },
  ]);
  await writes.commit(trx, shieldId);
}

/**
 * Charges the next period and begins it, in the caller's transaction.
 *
 * @returns false where the balance does not cover it; nothing has changed then
 */
async function chargePeriod(
  { failpoint }: Pick<RenewalDeps, "failpoint">,
  trx: Trx,
  row: SubscriptionRow,
  now: Date,
): Promise<boolean> {
  const { shield_id: shieldId } = row;
  const next = nextPeriod(row, now);
  try {
    await charge(trx, {
      kind: "renewal",
      userId: row.owner_id,
      cents: readCents(row.price_cents),
      businessKey: renewalKey(shieldId, row.period_ends_at),
      at: now,
      period: {
        planId: row.pricing_plan_id,
        startsAt: next.period_starts_at,
        endsAt: next.period_ends_at,
      },
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === "insufficient_funds") return false;
    throw error;
  }
  failpoint("renewal-charged");
  await updateSubscription(trx, shieldId, {
    ...next,
    next_renewal_at: firstTryAt(next.period_ends_at),
    failed_renewals: 0,
    told: null,
  });
  await announcePlan(trx, { ...row, period_ends_at: next.period_ends_at }, "plan.renewed", now);
  return true;
}

function announcePlan(
  trx: Trx,
  row: Pick<SubscriptionRow, "shield_id" | "period_ends_at">,
  kind: "plan.renewed" | "plan.renewal_failed" | "plan.expired",
  at: Date,
): Promise<void> {
  const data = { ends_at: row.period_ends_at.toISOString() };
  return announce(trx, [{ shieldId: row.shield_id, kind, at, data }]);
}

/** It follows the one before without a gap, and begins now where the shield has expired. */
function nextPeriod(row: SubscriptionRow, now: Date) {
  const isExpired = row.status === "expired";
  const anchor_at = isExpired ? now : row.anchor_at;
  const period = isExpired ? 1 : row.period + 1;
  return {
    anchor_at,
    period,
    period_starts_at: isExpired ? now : row.period_ends_at,
    period_ends_at: addMonths(anchor_at, period),
  };
}

export interface Renewed {
  readonly expiresAt: Date;
  /** Null where edges have nothing to know. */
  readonly revision: number | null;
}

/**
 * Renews at once, for the owner who asked for it: from a day before the end of the period. A saved
 * card is charged where the balance does not cover it. An expired shield comes back, and its new
 * period begins now.
 *
 * @param inTransaction runs the change with the audit row of the call
 * @throws DomainError `renewal_not_due`, `server_not_active` while it is blocked,
 *   `insufficient_funds`, `unavailable` while it is not known whether the card was charged
 */
export async function renewByHand(
  deps: RenewalDeps,
  { shieldId, now }: { readonly shieldId: string; readonly now: Date },
  inTransaction: (work: (trx: Trx) => Promise<Renewed>) => Promise<Renewed>,
): Promise<Renewed> {
  const lacking = await deps.db.transaction().execute(async (trx) => {
    const row = await lockSubscription(trx, shieldId);
    requireRenewable(row, now);
    const balance = await balanceOf(trx, row.owner_id);
    const gross = await grossPrices(trx, row.owner_id, now);
    const grossCents = gross(readCents(row.price_cents));
    if (spendableCents(balance) >= grossCents) return null;
    if (balance.cashCents < 0) {
      throw new DomainError("insufficient_funds", { text: "renewal.debt" });
    }
    return { ownerId: row.owner_id, grossCents, periodEndsAt: row.period_ends_at };
  });
  if (lacking !== null) requireCharged(await chargeCard(deps.cards, shieldId, lacking));
  return inTransaction((trx) => renewNow(deps, trx, { shieldId, now }));
}

/** @throws DomainError that says what became of the card */
function requireCharged(card: CardCharge): void {
  switch (card) {
    case "paid":
      return;
    case "none":
      throw new DomainError("insufficient_funds");
    case "declined":
      throw new DomainError("insufficient_funds", { text: "renewal.card_declined" });
    case "needs-authentication":
      throw new DomainError("insufficient_funds", { text: "renewal.card_authentication" });
    case "unknown":
      throw new DomainError("unavailable");
  }
}

async function renewNow(
  deps: RenewalDeps,
  trx: Trx,
  { shieldId, now }: { readonly shieldId: string; readonly now: Date },
): Promise<Renewed> {
  const row = await lockSubscription(trx, shieldId);
  requireRenewable(row, now);
  const isExpired = row.status === "expired";
  if (!(await chargePeriod(deps, trx, row, now))) throw new DomainError("insufficient_funds");
  const expiresAt = nextPeriod(row, now).period_ends_at;
  if (!isExpired) return { expiresAt, revision: null };
  await setShieldStatus(trx, shieldId, "active");
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "status", before: "expired", after: "active" },
  ]);
  const { revision } = await deps.writes.commit(trx, shieldId);
  return { expiresAt, revision };
}

function requireRenewable(
  row: SubscriptionRow | undefined,
  now: Date,
): asserts row is SubscriptionRow {
  if (row?.status === "blocked")
    throw new DomainError("server_not_active", { text: "shield.blocked" });
  const isDue =
    row !== undefined &&
    isRenewable({
      status: row.status,
      isPlanned: row.planned_plan_id !== null,
      periodEndsAt: row.period_ends_at,
      now,
    });
  if (!isDue) throw new DomainError("renewal_not_due");
}

async function tellOnce(
  mailer: Mailer,
  trx: Trx,
  row: SubscriptionRow,
  notice: RenewalNotice,
): Promise<boolean> {
  if (!isNews(notice, row.told)) return false;
  await updateSubscription(trx, row.shield_id, { told: notice });
  await tell(mailer, trx, row, `renewals.${notice}`);
  return true;
}

/** A mail to the owner about the end of the period. */
export function tell(
  mailer: Mailer,
  trx: Trx,
  row: SubscriptionRow,
  template: string,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  return mailer.enqueue(trx, {
    to: row.email,
    template,
    locale: row.locale,
    values: {
      shieldId: row.shield_id,
      server: row.server_name,
      priceCents: readCents(row.price_cents),
      endsAt: row.period_ends_at.toISOString(),
      graceEndsAt: new Date(row.period_ends_at.getTime() + graceMs).toISOString(),
      ...values,
    },
  });
}
