import { routes } from "@palisade/contract/http/routes";
import { hasStaffRole } from "@palisade/contract/http/staff-roles";
import { payerOf } from "#src/features/payments/staff-refunds.service.ts";
import type { StaffOrderContent } from "#src/features/staff-orders/staff-order-actions.service.ts";
import {
  confirmOrderIn,
  listWaitingOrders,
  placeOrderIn,
  rejectOrderIn,
} from "#src/features/staff-orders/staff-orders.service.ts";
import { findAccount } from "#src/features/users/users.service.ts";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { CustomerContext } from "#src/platform/http/pipeline/context.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { refusalOf } from "./order-refusals.ts";
import { presentOrder } from "./staff-users.presenter.ts";

const { staffUsers } = routes;

interface StaffMoneyDeps {
  readonly db: Db;
  /** Orders above it wait for a second staff member. */
  readonly fourEyesCents: number;
}

/** Money that staff move, as the commands `money ...` do. */
export function mountStaffMoneyRoutes(mount: Mount, deps: StaffMoneyDeps): void {
  /** The call is in the account's own audit log. */
  function place(
    ctx: CustomerContext,
    userId: string,
    reason: string,
    contentOf: (trx: Trx) => Promise<StaffOrderContent>,
  ) {
    return unitOfWork(ctx, async (trx) => {
      if ((await findAccount(trx, userId)) === undefined) throw new DomainError("not_found");
      ctx.auditAccount(userId);
      const content = await contentOf(trx);
      const order = { content, reason, by: ctx.actor.userId, requestKey: newId(), now: ctx.now };
      const { id, outcome } = await placeOrderIn(trx, deps, order).catch(refusalOf);
      if (outcome === "repeated") throw new Error("A new key was used before");
      const text = outcome === "done" ? "staff.order_done" : "staff.order_waiting";
      return { body: { message: ctx.text(text), order_id: id, outcome } };
    });
  }

  mount(staffUsers.adjustBalance, (ctx, { params: { userId }, body: { cents, reason } }) =>
    place(ctx, userId, reason, () =>
      Promise.resolve({ kind: "adjust", details: { userId, cents } }),
    ),
  );

  mount(staffUsers.refundTopUp, (ctx, { params: { userId }, body }) =>
    place(ctx, userId, body.reason, async (trx) => {
      const payer = await payerOf(trx, body.intent_id);
      if (payer?.userId !== userId) throw new DomainError("not_found");
      const cents = body.cents ?? payer.cents;
      return { kind: "refund", details: { intentId: body.intent_id, cents } };
    }),
  );

  mount(staffUsers.listOrders, async (ctx) => {
    const roleOf = (kind: string) => (kind === "two-factor-off" ? "support" : "billing");
    const orders = (await listWaitingOrders(deps.db)).filter(({ kind }) =>
      hasStaffRole(ctx.actor.staffRoles, [roleOf(kind)]),
    );
    return { body: { orders: orders.map((order) => presentOrder(order, ctx.actor.userId)) } };
  });

  mount(staffUsers.confirmOrder, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const decision = { id: params.orderId, by: ctx.actor.userId, now: ctx.now };
      const { user_id: userId } = await confirmOrderIn(trx, deps, decision).catch(refusalOf);
      if (userId !== null) ctx.auditAccount(userId);
      return { body: { message: ctx.text("staff.order_done") } };
    }),
  );

  mount(staffUsers.rejectOrder, (ctx, { params, body: { reason } }) =>
    unitOfWork(ctx, async (trx) => {
      const decision = { id: params.orderId, by: ctx.actor.userId, reason, now: ctx.now };
      const { user_id: userId } = await rejectOrderIn(trx, {}, decision).catch(refusalOf);
      if (userId !== null) ctx.auditAccount(userId);
      return { body: { message: ctx.text("staff.order_rejected") } };
    }),
  );
}
