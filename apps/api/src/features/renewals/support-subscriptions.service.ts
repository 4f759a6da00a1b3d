import type { Locale } from "@palisade/contract/texts/render";
import { requireSupportPlan, supportPlanOf } from "#src/features/plans/plans.service.ts";
import { translated } from "#src/features/plans/translations.service.ts";
import { charge } from "#src/features/ledger/ledger.service.ts";
import { requirePurchasesOpen } from "#src/features/ledger/purchase-freeze.service.ts";
import { formatCents, readCents } from "#src/features/ledger/money.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { addMonths, firstTryAt } from "#src/features/subscriptions/billing-period.service.ts";
import { replacementCents } from "./plan-price.policy.ts";
import { confirmedCents, holdPrice, type PlanChange } from "./plan-quotes.service.ts";
import {
  deleteSupport,
  insertSupport,
  lockBuyer,
  selectSupport,
  updateSupport,
  type SupportRow,
} from "./support-subscriptions.repository.ts";

interface Request {
  readonly userId: string;
  readonly planId: string;
  readonly now: Date;
  readonly locale: Locale;
}

export async function quoteSupport(trx: Trx, request: Request) {
  const { change } = await prepare(trx, request);
  return holdPrice(trx, { ...request, shieldId: null }, change, []);
}

/**
 * Changes the support plan: a dearer one begins a new period now, and costs its price less the
 * unused part of the period before. A cheaper one begins with the next period.
 *
 * @throws DomainError `plan_unavailable`, `quote_expired`, `price_changed`, `insufficient_funds`,
 *   `purchases_frozen`
 */
export async function changeSupport(
  { failpoint }: { readonly failpoint: Failpoint },
  trx: Trx,
  request: Request & { readonly quoteId: string | undefined },
): Promise<PlanChange> {
  const { userId, now, quoteId } = request;
  const { change, held } = await prepare(trx, request);
  const cents = await confirmedCents(trx, { userId, shieldId: null, now }, change, quoteId);
  if (change.kind === "at_period_end") {
    await updateSupport(trx, userId, {
      planned_plan_id: change.plan.id,
      planned_price_cents: String(change.priceCents),
      next_renewal_at: change.effectiveAt,
    });
    return change;
  }
  if (cents > 0) {
    await requirePurchasesOpen(trx);
    const businessKey = `support:${userId}:${quoteId ?? newId()}`;
    const period = { planId: change.plan.id, startsAt: now, endsAt: addMonths(now, 1) };
    await charge(trx, { userId, cents, businessKey, at: now, period });
  }
  failpoint("support-charged");
  if (held !== undefined) await deleteSupport(trx, userId);
  const period_ends_at = addMonths(now, 1);
  await insertSupport(trx, {
    user_id: userId,
    support_plan_id: change.plan.id,
    price_cents: change.priceCents,
    anchor_at: now,
    period: 1,
    period_starts_at: now,
    period_ends_at,
    next_renewal_at: firstTryAt(period_ends_at),
    created_at: now,
  });
  return change;
}

async function prepare(trx: Trx, { userId, planId, now, locale }: Request) {
  await lockBuyer(trx, userId);
  const held = await selectSupport(trx, userId);
  const plan = await requireSupportPlan(trx, planId, locale);
  const current = await supportPlanOf(trx, userId, locale);
  const isFreeAlready = held === undefined && plan.priceCents === 0;
  if (plan.id === current?.id || isFreeAlready) {
    throw new DomainError("plan_unavailable", { text: "plan.support_current" });
  }
  return { held, change: changeOf(plan, held, current?.id ?? null, now) };
}

function changeOf(
  { id, name, priceCents }: Awaited<ReturnType<typeof requireSupportPlan>>,
  held: SupportRow | undefined,
  currentId: string | null,
  now: Date,
): PlanChange {
  const target = { plan: { id, name }, priceCents };
  const from = { planId: currentId, periodEndsAt: held?.period_ends_at ?? null };
  const paid = held && {
    priceCents: readCents(held.price_cents),
    startsAt: held.period_starts_at,
    endsAt: held.period_ends_at,
  };
  if (paid !== undefined && priceCents <= paid.priceCents) {
    const periodEndsAt = priceCents === 0 ? null : paid.endsAt;
    return {
      ...target,
      from,
      kind: "at_period_end",
      dueCents: 0,
      effectiveAt: paid.endsAt,
      periodEndsAt,
    };
  }
  const dueCents = paid === undefined ? priceCents : replacementCents(paid, priceCents, now);
  return {
    ...target,
    from,
    kind: "now",
    dueCents,
    effectiveAt: now,
    periodEndsAt: addMonths(now, 1),
  };
}

/** Answers alike where nothing is planned. */
export async function cancelSupportPlanned(trx: Trx, userId: string): Promise<void> {
  await lockBuyer(trx, userId);
  const held = await selectSupport(trx, userId);
  if (held === undefined || held.planned_plan_id === null) return;
  await updateSupport(trx, userId, {
    planned_plan_id: null,
    planned_price_cents: null,
    next_renewal_at: firstTryAt(held.period_ends_at),
  });
}

/** The support plan of an account: without a paid one, the free plan. */
export async function supportSubscription(
  db: Executor,
  userId: string,
  locale: Locale,
  plans: readonly { readonly id: string; readonly name: string }[],
) {
  const held = await selectSupport(db, userId);
  if (held === undefined) {
    const plan = await supportPlanOf(db, userId, locale);
    return { plan, price: formatCents(0), price_cents: 0, period_ends_at: null, planned: null };
  }
  const planned = plans.find(({ id }) => id === held.planned_plan_id);
  const cents = readCents(held.price_cents);
  const name = translated(
    { name: held.plan_name, translations: held.plan_translations },
    "name",
    locale,
  );
  const period_ends_at = held.period_ends_at.toISOString();
  return {
    plan: { id: held.support_plan_id, name },
    price: formatCents(cents),
    price_cents: cents,
    period_ends_at,
    planned:
      planned === undefined
        ? null
        : { plan: { id: planned.id, name: planned.name }, effective_at: period_ends_at },
  };
}
