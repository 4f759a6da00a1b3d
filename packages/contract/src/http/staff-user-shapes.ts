import { z } from "zod";
import { roles } from "./auth.ts";
import { timestamp, uuid } from "./fields.ts";
import { serverStatuses } from "./servers.ts";
import { staffRoles } from "./staff-roles.ts";
import { tidyLine } from "./tidy-line.ts";

export const staffUserStates = ["active", "unconfirmed", "blocked", "deleted"] as const;
export type StaffUserState = (typeof staffUserStates)[number];

/** The text that a staff member types to find something. */
export const staffSearchText = z.string().overwrite(tidyLine).max(100, "text.max");

/** A slip of the keyboard should not make anyone a millionaire. */
export const adjustmentCentsMax = 1_000_000;
export const viewMinutes = 15;

const money = {
  balance: z.string().describe("Decimal string with two digits, EUR"),
  balance_cents: z.int(),
};

export const staffUserItem = z
  .object({
    id: uuid,
    email: z.string(),
    name: z.string().nullable().describe("First and last name"),
    role: z.enum(roles),
    state: z.enum(staffUserStates),
    ...money,
    shields: z.int(),
    created_at: timestamp,
  })
  .meta({ id: "StaffUserItem" });

export const staffUserShield = z
  .object({
    id: uuid,
    server_name: z.string(),
    status: z.enum(serverStatuses),
    cname_record: z.string(),
    domain: z.string().nullable(),
    plan: z.string(),
    role: z.enum(["owner", "member"]),
  })
  .meta({ id: "StaffUserShield" });

export const staffUserSession = z
  .object({
    id: uuid,
    device: z.string(),
    ip: z.string(),
    created_at: timestamp,
    last_seen_at: timestamp,
  })
  .meta({ id: "StaffUserSession" });

export const staffOrderKinds = [
  "adjust",
  "reverse",
  "refund",
  "quarantine",
  "two-factor-off",
] as const;

/** An action that waits for a second staff member. */
export const staffOrder = z
  .object({
    id: uuid,
    kind: z.enum(staffOrderKinds),
    user_id: uuid.nullable(),
    user_email: z.string().nullable(),
    amount: z.string().describe("Decimal string with two digits, EUR"),
    amount_cents: z.int(),
    reason: z.string(),
    ordered_by: z.string(),
    ordered_at: timestamp,
    is_own: z.boolean().describe("Asked for by the caller, who cannot confirm it"),
  })
  .meta({ id: "StaffOrder" });

export const staffUser = z
  .object({
    id: uuid,
    email: z.string(),
    name: z.string().nullable(),
    username: z.string().nullable(),
    company_name: z.string().nullable(),
    country: z.string().nullable(),
    locale: z.enum(["en", "ru"]),
    role: z.enum(roles),
    staff_roles: z.array(z.enum(staffRoles)),
    state: z.enum(staffUserStates),
    blocked_at: timestamp.nullable(),
    email_verified_at: timestamp.nullable(),
    first_login_at: timestamp.nullable(),
    two_factor_enabled: z.boolean(),
    passkeys: z.int(),
    api_keys: z.int(),
    support_plan: z.string(),
    ...money,
    bonus_cents: z.int().describe("The part of the balance that is bonus"),
    tickets: z.object({ open: z.int(), total: z.int() }),
    shields: z.array(staffUserShield),
    sessions: z.array(staffUserSession),
    orders: z.array(staffOrder).describe("Actions on this account that wait for a second person"),
    created_at: timestamp,
  })
  .meta({ id: "StaffUser" });

export const staffLedgerEntry = z
  .object({
    id: uuid,
    kind: z.string(),
    business_key: z.string(),
    note: z.string().nullable().describe("The reason of an adjustment"),
    cash_cents: z.int(),
    bonus_cents: z.int(),
    intent_id: uuid.nullable().describe("The top-up that it credits: it can be refunded"),
    created_at: timestamp,
  })
  .meta({ id: "StaffLedgerEntry" });

/** A call of the staff area about an account, with its reason. */
export const staffRecordEntry = z
  .object({
    id: uuid,
    staff: z.string().nullable().describe("E-mail; null after the account was deleted"),
    route: z.string(),
    reason: z.string().nullable(),
    response_status: z.int(),
    created_at: timestamp,
  })
  .meta({ id: "StaffRecordEntry" });

export type StaffUserItem = z.infer<typeof staffUserItem>;
export type StaffUser = z.infer<typeof staffUser>;
export type StaffOrder = z.infer<typeof staffOrder>;
export type StaffLedgerEntry = z.infer<typeof staffLedgerEntry>;
export type StaffRecordEntry = z.infer<typeof staffRecordEntry>;

export const staffSearchKinds = ["user", "shield", "ticket", "invoice"] as const;

export const staffSearchResult = z
  .object({
    kind: z.enum(staffSearchKinds),
    id: uuid,
    title: z.string(),
    detail: z.string().describe("What tells it from others of the same title"),
    user_id: uuid.describe("The account that it belongs to"),
  })
  .meta({ id: "StaffSearchResult" });

export type StaffSearchResult = z.infer<typeof staffSearchResult>;
