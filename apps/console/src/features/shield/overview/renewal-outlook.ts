import type { Server, ServerOverview } from "@palisade/contract/http/servers";

/** The outcome of the next renewal, or why nothing is charged. */
export type RenewalOutlook =
  | "free"
  | "covered"
  /** A saved card is charged first. */
  | "card"
  | "short"
  /** A charge is tried; only the owner sees whether their balance covers it. */
  | "tried"
  | "renewal_off"
  | "balance_off"
  | "expired"
  | "not_active";

type RenewalState = Pick<
  ServerOverview,
  "status" | "renewal" | "automatic_renewal" | "include_balance"
>;

export function renewalOutlook(state: RenewalState): RenewalOutlook {
  const { renewal } = state;
  if (renewal === null) return "free";
  if (state.status === "expired") return "expired";
  if (state.status !== "active") return "not_active";
  if (renewal.outcome === "off") return state.automatic_renewal ? "balance_off" : "renewal_off";
  if (renewal.outcome === "covered" && renewal.paid_from === "card") return "card";
  return renewal.outcome ?? "tried";
}

/** Owners are warned of a low balance so long before the charge. */
const warnedMs = 7 * 86_400_000;

/** Whether the next renewal is near and the balance does not cover it; null if there is no reason to warn. */
export function lowBalance(
  state: RenewalState & Pick<ServerOverview, "grace_ends_at">,
  now: Date,
): NonNullable<ServerOverview["renewal"]> | null {
  const { renewal } = state;
  // An unpaid shield has a warning of its own.
  if (renewal === null || state.grace_ends_at !== null) return null;
  if (renewalOutlook(state) !== "short") return null;
  const isNear = Date.parse(renewal.charge_at) - now.getTime() <= warnedMs;
  return isNear || renewal.is_due ? renewal : null;
}

/** Why the toggles are disabled; null if they are enabled. */
export function toggleBar(
  status: Server["status"],
  role: Server["role"],
): "status" | "role" | null {
  if (status !== "active") return "status";
  return role === "owner" ? null : "role";
}
