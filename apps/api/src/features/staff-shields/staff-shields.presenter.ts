import type { StaffActionEntry, StaffShield } from "@palisade/contract/http/staff-shields";
import { readCents } from "#src/features/ledger/money.service.ts";
import type {
  selectActions,
  ShieldDetailsRow,
  StaffShieldRow,
} from "./staff-shields.repository.ts";

export function presentShield(row: StaffShieldRow): StaffShield {
  return {
    id: row.id,
    server_name: row.server_name,
    cname_record: row.cname_record,
    status: row.status,
    plan: { slug: row.plan_slug, name: row.plan_name },
    location: row.location,
    owner: { id: row.owner_id, email: row.owner_email },
    players: Number(row.players),
    created_at: row.created_at.toISOString(),
  };
}

export function presentSubscription(row: ShieldDetailsRow) {
  if (row.period_ends_at === null || row.price_cents === null) return null;
  return {
    price_cents: readCents(row.price_cents),
    period_ends_at: row.period_ends_at.toISOString(),
    automatic_renewal: row.automatic_renewal,
    planned_plan: row.planned_plan,
  };
}

export function presentAction(
  row: Awaited<ReturnType<typeof selectActions>>[number],
): StaffActionEntry {
  return {
    id: row.id,
    route: row.route,
    staff_email: row.email,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
  };
}
