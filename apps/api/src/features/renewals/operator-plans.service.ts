import { commandEntry } from "#src/features/audit/audit.service.ts";
import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import { formatCents, readCents } from "#src/features/ledger/money.service.ts";
import { beginSubscription } from "#src/features/subscriptions/subscriptions.service.ts";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { recordChange } from "#src/features/shield-history/shield-history.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { declareOwnLock } from "#src/platform/database/lock-order.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import { firstTryAt } from "#src/features/subscriptions/billing-period.service.ts";
import { lockForOperator, selectPlanBySlug, setBlock } from "./operator-plans.repository.ts";
import { exceededLimits } from "./plan-fit.service.ts";
import { isGraceOver } from "./renewal.policy.ts";
import { refreshTraffic } from "./traffic-limits.service.ts";
import { deleteSubscription, setShieldPlan, updateSubscription } from "./renewals.repository.ts";

export interface OperatorDeps {
  readonly db: Db;
  readonly audit: AuditLog;
  readonly writes: ShieldWrites;
}

interface Order {
  /** The shield's CNAME target. */
  readonly label: string;
  readonly reason: string;
  readonly now: Date;
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockForOperator>>>;
type Change = Parameters<typeof recordChange>[3][number];

export type BlockOutcome = "done" | "already" | "unknown" | "deleted";

/** Stops a shield: new players are told that it is blocked, and its owner reads the reason. */
export function blockShield(deps: OperatorDeps, order: Order): Promise<BlockOutcome> {
  return onShield(deps, "shield block", order, async (trx, shield) => {
    if (shield.status === "blocked") return null;
    await setBlock(trx, shield.id, { status: "blocked", blocked_reason: order.reason });
    return [
      { field: "status", before: shield.status, after: "blocked" },
      { field: "blocked_reason", before: null, after: order.reason },
    ];
  });
}

/** Lifts a block. It gives no unpaid time: after the grace the shield has expired. */
export function unblockShield(deps: OperatorDeps, order: Order): Promise<BlockOutcome> {
  return onShield(deps, "shield unblock", order, async (trx, shield) => {
    if (shield.status !== "blocked") return null;
    const { period_ends_at: endsAt } = shield;
    const status = endsAt !== null && isGraceOver(endsAt, order.now) ? "expired" : "active";
    await setBlock(trx, shield.id, { status, blocked_reason: null });
    return [
      { field: "status", before: "blocked", after: status },
      { field: "blocked_reason", before: shield.blocked_reason, after: null },
      { field: "reason", before: null, after: order.reason },
    ];
  });
}

export type PlanOutcome = BlockOutcome | "unknown plan" | { readonly exceeded: readonly string[] };

/**
 * Puts a shield on a plan by hand, on today's terms of that plan. Nothing is charged or given back:
 * a paid period goes on to its end, and a shield without one gets its first period as a gift.
 */
export async function setPlanByHand(
  deps: OperatorDeps,
  order: Order & { readonly slug: string },
): Promise<PlanOutcome> {
  const plan = await selectPlanBySlug(deps.db, order.slug);
  if (plan === undefined) return "unknown plan";
  let exceeded: readonly string[] = [];
  const outcome = await onShield(deps, "shield plan", order, async (trx, shield) => {
    const held = shield.held_price_cents;
    const isMoved = shield.plan_id !== plan.id;
    // A price that has changed since is the plan's terms of today as well.
    if (!isMoved && (held === null || held === plan.price_cents)) return null;
    const found = await exceededLimits(trx, shield.id, entitlements(plan), order.now);
    exceeded = found.map(({ limit, used, allowed }) => `${limit}: ${used}, allowed ${allowed}`);
    if (exceeded.length > 0) return null;
    await setShieldPlan(trx, shield.id, plan.id);
    await refreshTraffic(trx, shield.id, order.now);
    await movePeriod(trx, shield, plan, order.now);
    return [
      isMoved
        ? { field: "plan", before: shield.plan_name, after: plan.name }
        : { field: "plan_price", before: euros(held), after: euros(plan.price_cents) },
      { field: "reason", before: null, after: order.reason },
    ];
  });
  return exceeded.length > 0 ? { exceeded } : outcome;
}

function euros(cents: string | null): string | null {
  return cents === null ? null : formatCents(readCents(cents));
}

async function movePeriod(
  trx: Trx,
  { id, period_ends_at }: Locked,
  plan: { readonly id: string; readonly price_cents: string },
  now: Date,
): Promise<void> {
  if (Number(plan.price_cents) === 0) return deleteSubscription(trx, id);
  const terms = { pricing_plan_id: plan.id, price_cents: plan.price_cents };
  if (period_ends_at !== null) {
    await updateSubscription(trx, id, {
      ...terms,
      planned_plan_id: null,
      planned_price_cents: null,
      next_renewal_at: firstTryAt(period_ends_at),
    });
    return;
  }
  const priceCents = readCents(plan.price_cents);
  await beginSubscription(trx, { shieldId: id, planId: plan.id, priceCents, now });
}

/** A change of the operator with its audit row in the owner's chain; null changes nothing. */
function onShield(
  { db, audit, writes }: OperatorDeps,
  command: string,
  { label, now }: Order,
  work: (trx: Trx, shield: Locked) => Promise<readonly Change[] | null>,
): Promise<BlockOutcome> {
  return db.transaction().execute(async (trx): Promise<BlockOutcome> => {
    const shield = await lockForOperator(trx, label);
    if (shield === undefined) return "unknown";
    if (shield.status === "deleted") return "deleted";
    const chain = `user:${shield.owner_id}`;
    declareOwnLock(trx, () => audit.lock(trx, chain));
    const changes = await work(trx, shield);
    if (changes === null) return "already";
    const { id: shieldId } = shield;
    await recordChange(trx, { shieldId, now, isOperator: true }, "plan", changes);
    await writes.commit(trx, shieldId);
    const row = { chain, status: 200, at: now };
    await audit.append(trx, commandEntry(`${command} ${shield.cname_record}`, row));
    return "done";
  });
}
