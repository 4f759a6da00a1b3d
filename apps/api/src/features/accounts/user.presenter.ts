import type { CurrentUser } from "@palisade/contract/http/auth";
import type { UserRow } from "./user-row.ts";

export interface SupportPlanName {
  readonly id: string;
  readonly name: string;
}

/** Everybody holds the free support plan until they buy another. */
const freePlanName = "Free";

/** Balance and second factor arrive with the ledger and two-factor login; until then nobody has either. */
export function presentCurrentUser(user: UserRow, plan: SupportPlanName | null): CurrentUser {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    balance: "0.00",
    balance_cents: 0,
    two_factor_enabled: false,
    current_subscription_plan: {
      name: plan?.name ?? freePlanName,
      plan_id: null,
      support_plan_id: plan?.id ?? null,
    },
    created_at: user.created_at.toISOString(),
  };
}
