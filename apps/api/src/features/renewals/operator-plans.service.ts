import type { ExceededLimit } from "@palisade/contract/http/plan-changes";
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

export { requireFit } from "./plan-fit.service.ts";

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

interface PlanOrder extends Order {
  readonly slug: string;
}

/** The transaction of a change; its caller puts the change on record. */
export interface ChangeUnit {
  readonly trx: Trx;
  readonly writes: ShieldWrites;
  /** The command line makes the change; without it, the signed-in staff member of the call. */
  readonly isOperator?: boolean;
  /** Called when the shield is locked, before anything is changed. */
  onLocked?(ownerId: string): void;
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockForOperator>>>;
type Change = Parameters<typeof recordChange>[3][number];

export type BlockOutcome = "done" | "already" | "unknown" | "deleted";
export type PlanOutcome =
  | BlockOutcome
  | "unknown plan"
  | { readonly exceeded: readonly ExceededLimit[] };

/** Stops a shield: new players are told that it is blocked, and its owner reads the reason. */
export function blockShieldIn(unit: ChangeUnit, order: Order): Promise<BlockOutcome> {
  return onShield(unit, order, async (shield) => {
    if (shield.status === "blocked") return null;
    const { reason } = order;
    await setBlock(unit.trx, shield.id, { status: "blocked", blocked_reason: reason });
    return [
      { field: "status", before: shield.status, after: "blocked" },
      { field: "blocked_reason", before: null, after: reason },
    ];
  });
}

/** Lifts a block. It gives no unpaid time: after the grace the shield has expired. */
export function unblockShieldIn(unit: ChangeUnit, order: Order): Promise<BlockOutcome> {
  return onShield(unit, order, async (shield) => {
    if (shield.status !== "blocked") return null;
    const { period_ends_at: endsAt } = shield;
    const status = endsAt !== null && isGraceOver(endsAt, order.now) ? "expired" : "active";
    await setBlock(unit.trx, shield.id, { status, blocked_reason: null });
    return [
      { field: "status", before: "blocked", after: status },
      { field: "blocked_reason", before: shield.blocked_reason, after: null },
      { field: "reason", before: null, after: order.reason },
    ];
  });
}

/**
 * Puts a shield on a plan by hand, on today's terms of that plan. Nothing is charged or given back:
 * a paid period goes on to its end, and a shield without one gets its first period as a gift.
 */
export async function setPlanIn(unit: ChangeUnit, order: PlanOrder): Promise<PlanOutcome> {
  const { trx } = unit;
  const plan = await selectPlanBySlug(trx, order.slug);
  if (plan === undefined) return "unknown plan";
  let exceeded: readonly ExceededLimit[] = [];
  const outcome = await onShield(unit, order, async (shield) => {
    const held = shield.held_price_cents;
    const isMoved = shield.plan_id !== plan.id;
    // A price that has changed since is the plan's terms of today as well.
    if (!isMoved && (held === null || held === plan.price_cents)) return null;
    exceeded = await exceededLimits(trx, shield.id, entitlements(plan), order.now);
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

export const blockShield = (deps: OperatorDeps, order: Order): Promise<BlockOutcome> =>
  byCommand(deps, "shield block", order, blockShieldIn);

export const unblockShield = (deps: OperatorDeps, order: Order): Promise<BlockOutcome> =>
  byCommand(deps, "shield unblock", order, unblockShieldIn);

export const setPlanByHand = (deps: OperatorDeps, order: PlanOrder): Promise<PlanOutcome> =>
  byCommand(deps, "shield plan", order, setPlanIn);

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

/** A change of a shield whatever its status; null changes nothing. */
async function onShield(
  unit: ChangeUnit,
  { label, now }: Order,
  work: (shield: Locked) => Promise<readonly Change[] | null>,
): Promise<BlockOutcome> {
  const { trx, writes, isOperator = false } = unit;
  const shield = await lockForOperator(trx, label);
  if (shield === undefined) return "unknown";
  if (shield.status === "deleted") return "deleted";
  unit.onLocked?.(shield.owner_id);
  const changes = await work(shield);
  if (changes === null) return "already";
  const { id: shieldId } = shield;
  await recordChange(trx, { shieldId, now, isOperator }, "plan", changes);
  await writes.commit(trx, shieldId);
  return "done";
}

/** In a transaction of its own, with its row in the audit log of the owner. */
function byCommand<O extends Order, Outcome>(
  { db, audit, writes }: OperatorDeps,
  command: string,
  order: O,
  change: (unit: ChangeUnit, order: O) => Promise<Outcome>,
): Promise<Outcome> {
  return db.transaction().execute(async (trx) => {
    let chain = "system";
    const outcome = await change(
      {
        trx,
        writes,
        isOperator: true,
        onLocked(ownerId) {
          chain = `user:${ownerId}`;
          declareOwnLock(trx, () => audit.lock(trx, chain));
        },
      },
      order,
    );
    if (outcome === "done") {
      const row = { chain, status: 200, at: order.now };
      await audit.append(trx, commandEntry(`${command} ${order.label}`, row));
    }
    return outcome;
  });
}
