import { toPage } from "@palisade/contract/http/paging";
import { routes } from "@palisade/contract/http/routes";
import { hasStaffRole } from "@palisade/contract/http/staff-roles";
import type { StaffSearchResult } from "@palisade/contract/http/staff-user-shapes";
import { pageOfAuditLog } from "#src/features/audit/audit-view.service.ts";
import { supportPlanOf } from "#src/features/plans/plans.service.ts";
import { sessionsOf } from "#src/features/sessions/sessions.service.ts";
import { listWaitingOrders } from "#src/features/staff-orders/staff-orders.service.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { findDocuments, findShields, findTickets, findUsers } from "./staff-search.repository.ts";
import {
  presentItem,
  presentLedgerEntry,
  presentRecordEntry,
  presentUser,
} from "./staff-users.presenter.ts";
import { countUsers, selectShieldsOf, selectUser, selectUsers } from "./staff-users.repository.ts";
import type { StaffUsers } from "./staff-users.service.ts";
import { countLedger, countRecord, selectLedger, selectRecord } from "./user-lists.repository.ts";

const { staffUsers } = routes;
const auditDays = 90;
const dayMs = 86_400_000;

interface StaffUserRoutesDeps {
  readonly db: Db;
  readonly users: StaffUsers;
}

export function mountStaffUserRoutes(mount: Mount, { db, users }: StaffUserRoutesDeps): void {
  mountReads(mount, db);
  mountSearch(mount, db);

  mount(staffUsers.blockUser, async (ctx, { params, body }) => {
    await users.block(ctx, params.userId, { blockShields: body.block_shields });
    return { body: { message: ctx.text("staff.user_blocked") } };
  });

  mount(staffUsers.unblockUser, async (ctx, { params, body }) => {
    await users.unblock(ctx, params.userId, body.reason);
    return { body: { message: ctx.text("staff.user_unblocked") } };
  });

  mount(staffUsers.logOutUser, async (ctx, { params }) => {
    await users.logOut(ctx, params.userId);
    return { body: { message: ctx.text("staff.user_logged_out") } };
  });

  mount(staffUsers.askTwoFactorOff, async (ctx, { params, body }) => {
    const id = await users.askTwoFactorOff(ctx, params.userId, body.reason);
    const message = ctx.text("staff.order_waiting");
    return { body: { message, order_id: id, outcome: "waiting" as const } };
  });

  mount(staffUsers.confirmTwoFactorOff, async (ctx, { params, body }) => {
    await users.confirmTwoFactorOff(ctx, params.userId, body.reason);
    return { body: { message: ctx.text("staff.two_factor_removed") } };
  });

  mount(staffUsers.rejectTwoFactorOff, async (ctx, { params, body }) => {
    await users.rejectTwoFactorOff(ctx, params.userId, body.reason);
    return { body: { message: ctx.text("staff.order_rejected") } };
  });
}

function mountReads(mount: Mount, db: Db): void {
  mount(staffUsers.listUsers, async (_ctx, { query }) => {
    const { page, per_page: limit, ...filter } = query;
    const total = await countUsers(db, filter);
    const rows = await selectUsers(db, filter, { limit, offset: (page - 1) * limit });
    return { body: toPage(rows.map(presentItem), page, limit, total) };
  });

  mount(staffUsers.getUser, async (ctx, { params }) => {
    const row = await requireUser(db, params.userId);
    const plan = await supportPlanOf(db, row.id, ctx.locale);
    const user = presentUser(row, {
      supportPlan: plan?.name ?? "",
      shields: await selectShieldsOf(db, row.id),
      sessions: await sessionsOf(db, row.id, ctx),
      orders: (await listWaitingOrders(db)).filter(({ user_id: about }) => about === row.id),
      staffId: ctx.actor.userId,
      locale: ctx.locale,
    });
    return { body: { user } };
  });

  mount(staffUsers.listUserLedger, async (_ctx, { params, query }) => {
    const { id } = await requireUser(db, params.userId);
    const { page, per_page: limit } = query;
    const total = await countLedger(db, id);
    const rows = await selectLedger(db, id, { limit, offset: (page - 1) * limit });
    return { body: toPage(rows.map(presentLedgerEntry), page, limit, total) };
  });

  mount(staffUsers.listUserAudit, async (ctx, { params, query }) => {
    const { id: userId, email } = await requireUser(db, params.userId);
    const filter = { since: new Date(ctx.now.getTime() - auditDays * dayMs) };
    const { page, per_page: perPage } = query;
    const asked = { account: { userId, email }, filter, page, perPage, locale: ctx.locale };
    return { body: await pageOfAuditLog(db, asked) };
  });

  mount(staffUsers.listUserRecord, async (_ctx, { params, query }) => {
    const { id } = await requireUser(db, params.userId);
    const { page, per_page: limit } = query;
    const total = await countRecord(db, id);
    const rows = await selectRecord(db, id, { limit, offset: (page - 1) * limit });
    return { body: toPage(rows.map(presentRecordEntry), page, limit, total) };
  });
}

async function requireUser(db: Db, id: string) {
  const row = await selectUser(db, id);
  if (row === undefined) throw new DomainError("not_found");
  return row;
}

/** A kind is searched for those who may open what is found. */
const kinds = [
  { kind: "user", roles: ["support", "billing"], find: findUsers },
  { kind: "shield", roles: ["support", "operations"], find: findShields },
  { kind: "ticket", roles: ["support"], find: findTickets },
  { kind: "invoice", roles: ["billing"], find: findDocuments },
] as const;

function mountSearch(mount: Mount, db: Db): void {
  mount(staffUsers.searchAll, async (ctx, { query }) => {
    const results: StaffSearchResult[] = [];
    for (const { kind, roles, find } of kinds) {
      if (!hasStaffRole(ctx.actor.staffRoles, roles)) continue;
      for (const row of await find(db, query.q)) results.push({ kind, ...row });
    }
    return { body: { results } };
  });
}
