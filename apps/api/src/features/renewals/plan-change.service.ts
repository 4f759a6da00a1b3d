import type { PlanQuote } from "@palisade/contract/http/plan-changes";
import { planLimitsOf, requirePlan } from "#src/features/plans/plans.service.ts";
import { charge } from "#src/features/ledger/ledger.service.ts";
import { requirePurchasesOpen } from "#src/features/ledger/purchase-freeze.service.ts";
import { readCents } from "#src/features/ledger/money.service.ts";
import { requireFreePlace } from "#src/features/shields/free-shields.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { Failpoint } from "#src/platform/development/failpoints.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { addMonths, firstTryAt } from "#src/features/subscriptions/billing-period.service.ts";
import { exceededLimits, requireFit } from "./plan-fit.service.ts";
import { refreshTraffic } from "./traffic-limits.service.ts";
import { upgradeCents } from "./plan-price.policy.ts";
import { confirmedCents, holdPrice, type PlanChange } from "./plan-quotes.service.ts";
import { beginSubscription } from "#src/features/subscriptions/subscriptions.service.ts";
import {
  lockPlan,
  lockSubscription,
  setShieldPlan,
  updateSubscription,
  type SubscriptionRow,
} from "./renewals.repository.ts";

export interface PlanChangeDeps {
  readonly writes: ShieldWrites;
  readonly failpoint: Failpoint;
}

interface Request {
  readonly shieldId: string;
  readonly planId: string;
  readonly now: Date;
}

interface Prepared {
  readonly change: PlanChange;
  readonly ownerId: string;
  readonly planName: string;
  readonly subscription: SubscriptionRow | undefined;
  readonly exceeded: Awaited<ReturnType<typeof exceededLimits>>;
}

/** @throws DomainError `server_not_active`, `plan_unavailable`, `renewal_due` */
export async function quotePlan(
  { writes }: PlanChangeDeps,
  trx: Trx,
  request: Request,
): Promise<PlanQuote> {
  const { change, ownerId, exceeded } = await prepare(writes, trx, request);
  const buyer = { userId: ownerId, shieldId: request.shieldId, now: request.now };
  return holdPrice(trx, buyer, change, exceeded);
}

/**
 * Changes the plan: a dearer one at once, for the difference, a cheaper one with the next period.
 *
 * @throws DomainError as `quotePlan`, and `plan_exceeded`, `quote_expired`, `price_changed`,
 *   `insufficient_funds`, `purchases_frozen`
 */
export async function changePlan(
  deps: PlanChangeDeps,
  trx: Trx,
  request: Request & { readonly quoteId: string | undefined },
) {
  const { shieldId, now } = request;
  const prepared = await prepare(deps.writes, trx, request);
  const { change, ownerId, exceeded } = prepared;
  const cents = await confirmedCents(
    trx,
    { userId: ownerId, shieldId, now },
    change,
    request.quoteId,
  );
  requireFit(exceeded);
  if (change.kind === "at_period_end") {
    await plan(trx, request, prepared);
    return { change, revision: null };
  }
  if (cents > 0) {
    await requirePurchasesOpen(trx);
    // The shield is locked, and is on the plan afterwards: a repetition finds nothing to charge.
    const businessKey = `upgrade:${shieldId}:${request.quoteId ?? newId()}`;
    const endsAt = change.periodEndsAt ?? addMonths(now, 1);
    const period = { planId: change.plan.id, startsAt: now, endsAt };
    await charge(trx, { userId: ownerId, cents, businessKey, at: now, period });
  }
  deps.failpoint("upgrade-charged");
  return { change, revision: await begin(deps.writes, trx, request, prepared) };
}

/** Puts the shield on the plan now; nothing is charged here. */
async function begin(
  writes: ShieldWrites,
  trx: Trx,
  { shieldId, now }: Request,
  { change, planName, subscription }: Prepared,
): Promise<number> {
  const { id: planId } = change.plan;
  await setShieldPlan(trx, shieldId, planId);
  await refreshTraffic(trx, shieldId, now);
  if (subscription === undefined) {
    await beginSubscription(trx, { shieldId, planId, priceCents: change.priceCents, now });
  } else {
    await updateSubscription(trx, shieldId, {
      pricing_plan_id: planId,
      price_cents: change.priceCents,
      ...withoutPlanned(subscription),
    });
  }
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "plan", before: planName, after: change.plan.name },
  ]);
  const { revision } = await writes.commit(trx, shieldId);
  return revision;
}

async function plan(
  trx: Trx,
  { shieldId, now }: Request,
  { change, planName, subscription }: Prepared,
): Promise<void> {
  await updateSubscription(trx, shieldId, {
    planned_plan_id: change.plan.id,
    planned_price_cents: String(change.priceCents),
    next_renewal_at: change.effectiveAt,
  });
  const before = subscription?.planned_plan_id ?? null;
  if (before === change.plan.id) return;
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "planned_plan", before: planName, after: change.plan.name },
  ]);
}

/** Answers alike where nothing is planned. */
export async function cancelPlanned(
  { writes }: PlanChangeDeps,
  trx: Trx,
  { shieldId, now }: Omit<Request, "planId">,
): Promise<void> {
  await writes.lockActive(trx, shieldId);
  const row = await lockSubscription(trx, shieldId);
  if (row === undefined || row.planned_plan_id === null) return;
  const { name } = await planLimitsOf(trx, row.planned_plan_id);
  await updateSubscription(trx, shieldId, withoutPlanned(row));
  await recordChange(trx, { shieldId, now }, "plan", [
    { field: "planned_plan", before: name, after: null },
  ]);
}

/** The renewal is due again a day before the end, which may be now. */
function withoutPlanned({ planned_plan_id, period_ends_at }: SubscriptionRow) {
  if (planned_plan_id === null) return {};
  return {
    planned_plan_id: null,
    planned_price_cents: null,
    next_renewal_at: firstTryAt(period_ends_at),
  };
}

async function prepare(
  writes: ShieldWrites,
  trx: Trx,
  { shieldId, planId, now }: Request,
): Promise<Prepared> {
  await writes.lockActive(trx, shieldId);
  const current = await lockPlan(trx, shieldId);
  const subscription = await lockSubscription(trx, shieldId);
  const plan = await requirePlan(trx, { planId, expectedPriceCents: undefined });
  if (plan.id === current.id) throw new DomainError("plan_unavailable", { text: "plan.current" });
  const isFree = plan.priceCents === 0;
  if (isFree && subscription !== undefined) await requireFreePlace(trx, current.owner_id);
  const target = { plan: { id: plan.id, name: plan.name }, priceCents: plan.priceCents };
  const exceeded = await exceededLimits(trx, shieldId, plan.entitlements, now);
  const prepared = { ownerId: current.owner_id, planName: current.name, subscription, exceeded };
  const from = { planId: current.id, periodEndsAt: subscription?.period_ends_at ?? null };
  if (subscription === undefined) {
    const change = {
      ...target,
      from,
      kind: "now" as const,
      dueCents: plan.priceCents,
      effectiveAt: now,
      periodEndsAt: isFree ? null : addMonths(now, 1),
    };
    return { ...prepared, change };
  }
  const { period_starts_at: startsAt, period_ends_at: endsAt } = subscription;
  if (endsAt <= now) throw new DomainError("renewal_due");
  const priceCents = readCents(subscription.price_cents);
  const isDearer = plan.priceCents > priceCents;
  const change: PlanChange = {
    ...target,
    from,
    kind: isDearer ? "now" : "at_period_end",
    dueCents: isDearer ? upgradeCents({ priceCents, startsAt, endsAt }, plan.priceCents, now) : 0,
    effectiveAt: isDearer ? now : endsAt,
    periodEndsAt: isFree ? null : endsAt,
  };
  return { ...prepared, change };
}
