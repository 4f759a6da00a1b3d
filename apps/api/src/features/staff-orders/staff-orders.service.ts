import { commandEntry } from "#src/features/audit/audit.service.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import {
  contentOf,
  performOrder,
  prepareOrder,
  type StaffOrderContent,
} from "./staff-order-actions.ts";
import {
  describeOrder,
  endOrder,
  insertOrder,
  lockOrder,
  selectOrderByKey,
  selectWaitingOrders,
  type StaffOrderRow,
} from "./staff-orders.repository.ts";

export interface StaffOrdersDeps {
  readonly db: Db;
  readonly audit: AuditLog;
  /** Orders above it wait for a second staff member. */
  readonly fourEyesCents: number;
}

/** A refusal in words for staff. */
export class StaffOrderRefused extends Error {
  override name = "StaffOrderRefused";
}

export interface PlacedOrder {
  readonly id: string;
  /** `repeated`: the same order was placed under this key before. */
  readonly outcome: "done" | "waiting" | "repeated";
}

export interface NewOrder {
  readonly content: StaffOrderContent;
  readonly reason: string;
  readonly by: string;
  readonly requestKey: string;
  readonly now: Date;
}

/**
 * Carries an order out at once, or stores it for a second staff member if it is above the limit. A
 * repeated key is the same order, so that a caller who is unsure repeats it.
 *
 * @throws StaffOrderRefused, or a DomainError of what it does
 */
export function placeOrder(deps: StaffOrdersDeps, order: NewOrder): Promise<PlacedOrder> {
  return deps.db.transaction().execute((trx) => placeOrderIn(trx, deps, order));
}

/** The same in a transaction of the caller. */
export async function placeOrderIn(
  trx: Trx,
  deps: Omit<StaffOrdersDeps, "db">,
  { content, reason, by, requestKey, now }: NewOrder,
): Promise<PlacedOrder> {
  const id = newId();
  const isNew = await insertOrder(trx, {
    id,
    kind: content.kind,
    user_id: null,
    details: JSON.stringify(content.details),
    cents: 0,
    reason,
    request_key: requestKey,
    ordered_by: by,
    ordered_at: now,
    status: "waiting",
    decided_by: null,
    decided_at: null,
    decision_reason: null,
  });
  if (!isNew) return repeated(trx, requestKey, content);
  const { userId, cents } = await prepareOrder(trx, content);
  await describeOrder(trx, id, { userId, cents });
  await record(trx, deps.audit, { userId, staffId: by, what: content.kind, at: now });
  if (cents > deps.fourEyesCents) return { id, outcome: "waiting" };
  await performOrder(trx, { id, content, reason, by, at: now });
  await endOrder(trx, id, { status: "done", by: null, at: now, reason: null });
  return { id, outcome: "done" };
}

async function repeated(
  trx: Trx,
  requestKey: string,
  content: StaffOrderContent,
): Promise<PlacedOrder> {
  const before = await selectOrderByKey(trx, requestKey);
  const isSame = before.kind === content.kind && isEqual(before.details, content.details);
  if (!isSame) throw new StaffOrderRefused(`The key ${requestKey} was used for another order`);
  return { id: before.id, outcome: "repeated" };
}

/** The database keeps the fields in an order of its own. */
function isEqual(a: object, b: object): boolean {
  const text = (each: object): string =>
    JSON.stringify(Object.entries(each).sort(([x], [y]) => x.localeCompare(y)));
  return text(a) === text(b);
}

/**
 * Carries out what another staff member ordered. If two confirm at once, one does.
 *
 * @throws StaffOrderRefused, or a DomainError of what it does
 */
export function confirmOrder(
  deps: StaffOrdersDeps,
  decision: { readonly id: string; readonly by: string; readonly now: Date },
): Promise<StaffOrderRow> {
  const { id, by, now } = decision;
  return deps.db.transaction().execute(async (trx) => {
    const order = await requireWaiting(trx, id);
    if (order.ordered_by === by) {
      throw new StaffOrderRefused("Another staff member has to confirm it");
    }
    await record(trx, deps.audit, {
      userId: order.user_id,
      staffId: by,
      what: `confirm ${order.kind}`,
      at: now,
    });
    const { reason, ordered_by: orderedBy } = order;
    await performOrder(trx, { id, content: contentOf(order), reason, by: orderedBy, at: now });
    await endOrder(trx, id, { status: "done", by, at: now, reason: null });
    return order;
  });
}

/** Either staff member may reject it, also the one who ordered it. @throws StaffOrderRefused */
export function rejectOrder(
  deps: Pick<StaffOrdersDeps, "db" | "audit">,
  decision: {
    readonly id: string;
    readonly by: string;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<void> {
  const { id, by, reason, now } = decision;
  return deps.db.transaction().execute(async (trx) => {
    const order = await requireWaiting(trx, id);
    const what = `reject ${order.kind}`;
    await record(trx, deps.audit, { userId: order.user_id, staffId: by, what, at: now });
    await endOrder(trx, id, { status: "rejected", by, at: now, reason });
  });
}

export const listWaitingOrders = (db: Executor) => selectWaitingOrders(db);

async function requireWaiting(trx: Trx, id: string): Promise<StaffOrderRow> {
  const order = await lockOrder(trx, id);
  if (order === undefined) throw new StaffOrderRefused(`There is no order ${id}`);
  if (order.status !== "waiting") throw new StaffOrderRefused(`The order ${id} is ${order.status}`);
  return order;
}

/** Before anything else is locked, because every change locks the audit chain first. */
async function record(
  trx: Trx,
  audit: AuditLog,
  row: {
    readonly userId: string | null;
    readonly staffId: string;
    readonly what: string;
    readonly at: Date;
  },
): Promise<void> {
  const chain = row.userId === null ? "system" : `user:${row.userId}`;
  const entry = commandEntry(`money ${row.what}`, { chain, status: 200, at: row.at });
  await audit.append(trx, { ...entry, actorKind: "user", actorId: row.staffId });
}
