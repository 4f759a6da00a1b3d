import type {
  StaffLedgerEntry,
  StaffOrder,
  StaffRecordEntry,
  StaffUser,
  StaffUserItem,
} from "@palisade/contract/http/staff-user-shapes";
import type { Locale } from "@palisade/contract/texts/render";
import { formatCents, readCents } from "#src/features/ledger/money.service.ts";
import type { listWaitingOrders } from "#src/features/staff-orders/staff-orders.service.ts";
import type { sessionsOf } from "#src/features/sessions/sessions.service.ts";
import type { selectShieldsOf, UserDetailRow, UserItemRow } from "./staff-users.repository.ts";
import type { LedgerRow, RecordRow } from "./user-lists.repository.ts";

export type OrderRow = Awaited<ReturnType<typeof listWaitingOrders>>[number];
type ShieldRow = Awaited<ReturnType<typeof selectShieldsOf>>[number];
type SessionRow = Awaited<ReturnType<typeof sessionsOf>>[number];

function moneyOf(column: string) {
  const cents = readCents(column);
  return { balance: formatCents(cents), balance_cents: cents };
}

export function presentItem(row: UserItemRow): StaffUserItem {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    state: row.state,
    ...moneyOf(row.cents),
    shields: Number(row.shields),
    created_at: row.created_at.toISOString(),
  };
}

export function presentOrder(row: OrderRow, staffId: string): StaffOrder {
  return {
    id: row.id,
    kind: row.kind,
    user_id: row.user_id,
    user_email: row.subject_email,
    amount: formatCents(row.cents),
    amount_cents: row.cents,
    reason: row.reason,
    ordered_by: row.ordered_by_email,
    ordered_at: row.ordered_at.toISOString(),
    is_own: row.ordered_by === staffId,
  };
}

export function presentUser(
  row: UserDetailRow,
  parts: {
    readonly supportPlan: string;
    readonly shields: readonly ShieldRow[];
    readonly sessions: readonly SessionRow[];
    readonly orders: readonly OrderRow[];
    readonly staffId: string;
    readonly locale: Locale;
  },
): StaffUser {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    username: row.username,
    company_name: row.company_name,
    country: row.country,
    locale: row.locale,
    role: row.role,
    staff_roles: row.staff_roles,
    state: row.state,
    blocked_at: row.blocked_at?.toISOString() ?? null,
    email_verified_at: row.email_verified_at?.toISOString() ?? null,
    first_login_at: row.first_login_at?.toISOString() ?? null,
    two_factor_enabled: row.two_factor_enabled_at !== null,
    passkeys: Number(row.passkeys),
    api_keys: Number(row.api_keys),
    support_plan: parts.supportPlan,
    ...moneyOf(row.cents),
    bonus_cents: readCents(row.bonus_cents),
    tickets: { open: Number(row.open_tickets), total: Number(row.tickets) },
    shields: parts.shields.map((shield) => ({
      id: shield.id,
      server_name: shield.server_name,
      status: shield.status,
      cname_record: shield.cname_record,
      domain: shield.domain,
      plan: shield.plan,
      role: shield.owner_id === row.id ? "owner" : "member",
    })),
    sessions: [...parts.sessions],
    orders: parts.orders.map((order) => presentOrder(order, parts.staffId)),
    created_at: row.created_at.toISOString(),
  };
}

export function presentLedgerEntry(row: LedgerRow): StaffLedgerEntry {
  return {
    id: row.id,
    kind: row.kind,
    business_key: row.business_key,
    note: row.note,
    cash_cents: readCents(row.cash_cents),
    bonus_cents: readCents(row.bonus_cents),
    intent_id: /^top-up:([0-9a-f-]{36})$/.exec(row.business_key)?.[1] ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function presentRecordEntry(row: RecordRow): StaffRecordEntry {
  return { ...row, created_at: row.created_at.toISOString() };
}
