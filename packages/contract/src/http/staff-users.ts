import { z } from "zod";
import { auditEntry } from "./audit.ts";
import { acknowledgement, timestamp, uuid } from "./fields.ts";
import { paged, pageQuery } from "./paging.ts";
import { defaultLimits, route } from "./route.ts";
import { staffReason } from "./staff-roles.ts";
import {
  adjustmentCentsMax,
  staffLedgerEntry,
  staffOrder,
  staffRecordEntry,
  staffSearchResult,
  staffSearchText,
  staffUser,
  staffUserItem,
  staffUserStates,
} from "./staff-user-shapes.ts";

const userParams = z.object({ userId: uuid });
const orderParams = z.object({ orderId: uuid });
export const reasonBody = z.object({ reason: staffReason });

const readErrors = ["unauthenticated", "forbidden", "two_factor_required", "not_found"] as const;
const changeErrors = [...readErrors, "step_up_required", "conflict"] as const;

const reads = {
  method: "GET",
  family: "api",
  access: "staff",
  apiKey: "none",
  showsPersonalData: true,
  success: 200,
  errors: readErrors,
  limits: defaultLimits.read,
} as const;

const changes = {
  method: "POST",
  family: "api",
  access: "staff",
  apiKey: "none",
  success: 200,
  errors: changeErrors,
  limits: defaultLimits.change,
} as const;

export const listUsers = route({
  ...reads,
  id: "staffUsers.list",
  path: "/staff/users",
  staffRoles: ["support", "billing"],
  summary: "Find accounts by e-mail, id, name or label",
  querystring: pageQuery.extend({
    q: staffSearchText.optional(),
    state: z.enum(staffUserStates, "status.invalid").optional(),
  }),
  response: paged(staffUserItem),
});

export const getUser = route({
  ...reads,
  id: "staffUsers.read",
  path: "/staff/users/:userId",
  staffRoles: ["support", "billing"],
  summary: "One account",
  params: userParams,
  response: z.object({ user: staffUser }),
});

export const listUserLedger = route({
  ...reads,
  id: "staffUsers.ledger",
  path: "/staff/users/:userId/ledger",
  staffRoles: ["support", "billing"],
  summary: "What moved an account's money, newest first",
  params: userParams,
  querystring: pageQuery,
  response: paged(staffLedgerEntry),
});

export const listUserAudit = route({
  ...reads,
  id: "staffUsers.audit",
  path: "/staff/users/:userId/audit",
  staffRoles: ["support"],
  summary: "An account's audit log of the last 90 days",
  params: userParams,
  querystring: pageQuery,
  response: paged(auditEntry),
});

export const listUserRecord = route({
  ...reads,
  id: "staffUsers.record",
  path: "/staff/users/:userId/record",
  staffRoles: ["support", "billing"],
  summary: "What staff did and saw of an account",
  params: userParams,
  querystring: pageQuery,
  response: paged(staffRecordEntry),
});

const placedOrder = z.object({
  message: z.string(),
  order_id: uuid,
  outcome: z.enum(["done", "waiting"]).describe("`waiting`: a second staff member confirms it"),
});

export const adjustBalance = route({
  ...changes,
  id: "staffUsers.adjust",
  path: "/staff/users/:userId/adjustments",
  staffRoles: ["billing"],
  summary: "Add cash to a balance, or take it",
  params: userParams,
  body: z.object({
    cents: z
      .int("amount.invalid")
      .min(-adjustmentCentsMax, "amount.invalid")
      .max(adjustmentCentsMax, "amount.invalid")
      .refine((cents) => cents !== 0, "amount.invalid")
      .describe("Negative: taken, as far as there is cash"),
    reason: staffReason,
  }),
  response: placedOrder,
  errors: [...changeErrors, "insufficient_funds"],
  idempotent: true,
});

export const refundTopUp = route({
  ...changes,
  id: "staffUsers.refund",
  path: "/staff/users/:userId/refunds",
  staffRoles: ["billing"],
  summary: "Refund a top-up, or a part of it",
  params: userParams,
  body: z.object({
    intent_id: uuid,
    cents: z
      .int("amount.invalid")
      .min(1, "amount.invalid")
      .max(adjustmentCentsMax, "amount.invalid")
      .optional()
      .describe("The whole top-up when missing"),
    reason: staffReason,
  }),
  response: placedOrder,
  errors: [...changeErrors, "insufficient_funds"],
  idempotent: true,
});

export const blockUser = route({
  ...changes,
  id: "staffUsers.block",
  path: "/staff/users/:userId/block",
  staffRoles: ["support"],
  summary: "Block an account with its sessions and keys",
  params: userParams,
  body: z.object({
    reason: staffReason,
    block_shields: z.boolean("required").describe("Also blocks the shields that it owns"),
  }),
  response: acknowledgement,
});

export const unblockUser = route({
  ...changes,
  id: "staffUsers.unblock",
  path: "/staff/users/:userId/unblock",
  staffRoles: ["support"],
  summary: "Unblock an account and its shields",
  params: userParams,
  body: reasonBody,
  response: acknowledgement,
});

export const logOutUser = route({
  ...changes,
  id: "staffUsers.logOut",
  path: "/staff/users/:userId/log-out",
  staffRoles: ["support"],
  summary: "End every session of an account",
  params: userParams,
  body: reasonBody,
  response: acknowledgement,
});

export const askTwoFactorOff = route({
  ...changes,
  id: "staffUsers.twoFactorOff",
  path: "/staff/users/:userId/two-factor-off",
  staffRoles: ["support"],
  summary: "Ask for the removal of two-factor",
  params: userParams,
  body: reasonBody,
  response: placedOrder,
});

export const confirmTwoFactorOff = route({
  ...changes,
  id: "staffUsers.confirmTwoFactorOff",
  path: "/staff/users/:userId/two-factor-off/confirm",
  staffRoles: ["support"],
  summary: "Remove two-factor, as a colleague asked",
  params: userParams,
  body: reasonBody,
  response: acknowledgement,
});

export const rejectTwoFactorOff = route({
  ...changes,
  id: "staffUsers.rejectTwoFactorOff",
  path: "/staff/users/:userId/two-factor-off/reject",
  staffRoles: ["support"],
  summary: "Leave two-factor on",
  params: userParams,
  body: reasonBody,
  response: acknowledgement,
});

export const listOrders = route({
  ...reads,
  id: "staffUsers.orders",
  path: "/staff/orders",
  staffRoles: ["support", "billing"],
  summary: "List what waits for a second staff member",
  response: z.object({ orders: z.array(staffOrder) }),
});

export const confirmOrder = route({
  ...changes,
  id: "staffUsers.confirmOrder",
  path: "/staff/orders/:orderId/confirm",
  staffRoles: ["billing"],
  summary: "Carry out a colleague's order about money",
  params: orderParams,
  body: reasonBody,
  response: acknowledgement,
  errors: [...changeErrors, "insufficient_funds"],
});

export const rejectOrder = route({
  ...changes,
  id: "staffUsers.rejectOrder",
  path: "/staff/orders/:orderId/reject",
  staffRoles: ["billing"],
  summary: "End an order about money; nothing is done",
  params: orderParams,
  body: reasonBody,
  response: acknowledgement,
});

export const viewAs = route({
  ...changes,
  id: "staffUsers.viewAs",
  path: "/staff/users/:userId/view-as",
  staffRoles: ["support"],
  summary: "Get a token that reads as the customer does",
  params: userParams,
  body: reasonBody,
  success: 201,
  response: z.object({
    view_id: uuid,
    token: z.string().describe("Every call but a GET is refused with `view_only`"),
    email: z.string(),
    expires_at: timestamp,
  }),
});

export const endView = route({
  ...changes,
  id: "staffUsers.endView",
  method: "POST",
  path: "/staff/views/:viewId/end",
  staffRoles: ["support"],
  summary: "End a view as customer",
  params: z.object({ viewId: uuid }),
  response: acknowledgement,
});

export const searchAll = route({
  ...reads,
  id: "staffUsers.search",
  path: "/staff/search",
  staffRoles: ["support", "billing", "operations"],
  summary: "Find accounts, shields, tickets and invoices",
  querystring: z.object({
    q: staffSearchText.min(2, "required").describe("E-mail, id, domain, label, address or number"),
  }),
  response: z.object({ results: z.array(staffSearchResult) }),
});

export const staffUserRoutes = {
  listUsers,
  getUser,
  listUserLedger,
  listUserAudit,
  listUserRecord,
  adjustBalance,
  refundTopUp,
  blockUser,
  unblockUser,
  logOutUser,
  askTwoFactorOff,
  confirmTwoFactorOff,
  rejectTwoFactorOff,
  listOrders,
  confirmOrder,
  rejectOrder,
  viewAs,
  endView,
  searchAll,
};
