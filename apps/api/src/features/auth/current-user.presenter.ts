import type { CurrentUser } from "@palisade/contract/http/auth";
import { formatCents } from "#src/features/ledger/money.service.ts";
import type { UserRow } from "#src/schema/accounts.ts";

export interface SupportPlanName {
  readonly id: string;
  readonly name: string;
}

/** Everybody holds the free support plan until they buy another. */
const freePlanName = "Free";

export function presentCurrentUser(
  user: UserRow,
  plan: SupportPlanName | null,
  balanceCents: number,
): CurrentUser {
  const hasTwoFactor = user.two_factor_enabled_at !== null;
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    staff_roles: [...user.staff_roles],
    balance: formatCents(balanceCents),
    balance_cents: balanceCents,
    two_factor_enabled: hasTwoFactor,
    two_factor_required: user.role === "staff" && !hasTwoFactor,
    current_subscription_plan: {
      name: plan?.name ?? freePlanName,
      plan_id: null,
      support_plan_id: plan?.id ?? null,
    },
    created_at: user.created_at.toISOString(),
  };
}
