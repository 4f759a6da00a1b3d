import { commandEntry } from "#src/features/audit/audit.service.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { AuditLog } from "#src/platform/http/pipeline/audit-log.ts";
import {
  contentOf,
  performOrder,
  prepareOrder,
  type StaffOrderContent,
} from "./staff-order-actions.service.ts";
import {
  describeOrder,
  endOrder,
  insertOrder,
  lockOrder,
  lockTwoFactorOrder,
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

/** `own`: the one who ordered it cannot confirm it. `decided`: it does not wait any more. */
type Refusal = "key used" | "own" | "unknown" | "decided";

/** Without an audit log the caller itself puts the order on record. */
type OrdersInCall = Pick<StaffOrdersDeps, "fourEyesCents"> & { readonly audit?: AuditLog };

/** A refusal in words for staff. */
export class StaffOrderRefused extends Error {
  override name = "StaffOrderRefused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

export interface PlacedOrder {
  readonly id: string;
  /** `repeated`: the same order was placed under this key before. */
  readonly outcome: "done" | "waiting" | "repeated";
}

interface Order {
  readonly content: StaffOrderContent;
  readonly reason: string;
  readonly by: string;
  readonly requestKey: string;
  readonly now: Date;
}

/** Places an order in a transaction of its own, with its audit row: see `placeOrderIn`. */
export function placeOrder(deps: StaffOrdersDeps, order: Order): Promise<PlacedOrder> {
  return deps.db.transaction().execute((trx) => placeOrderIn(trx, deps, order));
}

/**
 * Carries an order out at once, or stores it for a second staff member if it is above the limit. A
 * repeated key is the same order, so that a caller who is unsure repeats it.
 *
 * @throws StaffOrderRefused, or a DomainError of what it does
 */
export async function placeOrderIn(
  trx: Trx,
  deps: OrdersInCall,
  { content, reason, by, requestKey, now }: Order,
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
  if (!isSame)
    throw new StaffOrderRefused("key used", `The key ${requestKey} was used for another order`);
  return { id: before.id, outcome: "repeated" };
}

/** The database keeps the fields in an order of its own. */
function isEqual(a: object, b: object): boolean {
  const text = (each: object): string =>
    JSON.stringify(Object.entries(each).sort(([x], [y]) => x.localeCompare(y)));
  return text(a) === text(b);
}

interface Decision {
  readonly id: string;
  readonly by: string;
  readonly now: Date;
}

/** Confirms an order in a transaction of its own: see `confirmOrderIn`. */
export function confirmOrder(deps: StaffOrdersDeps, decision: Decision): Promise<StaffOrderRow> {
  return deps.db.transaction().execute((trx) => confirmOrderIn(trx, deps, decision));
}

/**
 * Carries out what another staff member ordered. If two confirm at once, one does.
 *
 * @throws StaffOrderRefused, or a DomainError of what it does
 */
export async function confirmOrderIn(
  trx: Trx,
  deps: OrdersInCall,
  { id, by, now }: Decision,
): Promise<StaffOrderRow> {
  const order = await requireWaiting(trx, id);
  if (order.ordered_by === by) {
    throw new StaffOrderRefused("own", "Another staff member has to confirm it");
  }
  const what = `confirm ${order.kind}`;
  await record(trx, deps.audit, { userId: order.user_id, staffId: by, what, at: now });
  const { reason, ordered_by: orderedBy } = order;
  await performOrder(trx, { id, content: contentOf(order), reason, by: orderedBy, at: now });
  await endOrder(trx, id, { status: "done", by, at: now, reason: null });
  return order;
}

/** Rejects an order in a transaction of its own: see `rejectOrderIn`. */
export async function rejectOrder(
  deps: Pick<StaffOrdersDeps, "db" | "audit">,
  decision: Decision & { readonly reason: string },
): Promise<void> {
  await deps.db.transaction().execute((trx) => rejectOrderIn(trx, deps, decision));
}

/** Either staff member may reject it, also the one who ordered it. @throws StaffOrderRefused */
export async function rejectOrderIn(
  trx: Trx,
  deps: { readonly audit?: AuditLog },
  { id, by, reason, now }: Decision & { readonly reason: string },
): Promise<StaffOrderRow> {
  const order = await requireWaiting(trx, id);
  const what = `reject ${order.kind}`;
  await record(trx, deps.audit, { userId: order.user_id, staffId: by, what, at: now });
  await endOrder(trx, id, { status: "rejected", by, at: now, reason });
  return order;
}

export const listWaitingOrders = (db: Executor) => selectWaitingOrders(db);

/** Asks a second staff member to remove two-factor. @returns the order, or null if one waits already */
export async function askTwoFactorOff(
  trx: Trx,
  asked: {
    readonly userId: string;
    readonly reason: string;
    readonly by: string;
    readonly now: Date;
  },
): Promise<string | null> {
  const { userId, reason, by, now } = asked;
  if ((await lockTwoFactorOrder(trx, userId)) !== undefined) return null;
  const id = newId();
  await insertOrder(trx, {
    id,
    kind: "two-factor-off",
    user_id: userId,
    details: JSON.stringify({ userId }),
    cents: 0,
    reason,
    request_key: `two-factor-off:${id}`,
    ordered_by: by,
    ordered_at: now,
    status: "waiting",
    decided_by: null,
    decided_at: null,
    decision_reason: null,
  });
  return id;
}

/**
 * Ends what `askTwoFactorOff` began; the caller does what was asked. To reject it, the one who asked
 * is enough.
 *
 * @throws StaffOrderRefused
 */
export async function decideTwoFactorOff(
  trx: Trx,
  userId: string,
  decision: {
    readonly status: "done" | "rejected";
    readonly by: string;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<void> {
  const order = await lockTwoFactorOrder(trx, userId);
  if (order === undefined) throw new StaffOrderRefused("unknown", "No removal was asked for");
  const { status, by, reason, now } = decision;
  if (status === "done" && order.ordered_by === by) {
    throw new StaffOrderRefused("own", "Another staff member has to confirm it");
  }
  await endOrder(trx, order.id, { status, by, at: now, reason });
}

async function requireWaiting(trx: Trx, id: string): Promise<StaffOrderRow> {
  const order = await lockOrder(trx, id);
  if (order === undefined) throw new StaffOrderRefused("unknown", `There is no order ${id}`);
  if (order.kind === "two-factor-off") {
    throw new StaffOrderRefused("unknown", "It is not about money: decide it in the staff area");
  }
  if (order.status !== "waiting") {
    throw new StaffOrderRefused("decided", `The order ${id} is ${order.status}`);
  }
  return order;
}

/** Before anything else is locked, because every change locks the audit chain first. */
async function record(
  trx: Trx,
  audit: AuditLog | undefined,
  row: {
    readonly userId: string | null;
    readonly staffId: string;
    readonly what: string;
    readonly at: Date;
  },
): Promise<void> {
  if (audit === undefined) return;
  const chain = row.userId === null ? "system" : `user:${row.userId}`;
  const entry = commandEntry(`money ${row.what}`, { chain, status: 200, at: row.at });
  await audit.append(trx, { ...entry, actorKind: "user", actorId: row.staffId });
}
