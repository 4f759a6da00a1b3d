import { productFeatures } from "@palisade/contract/product-features";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";

/** The outcome of the next renewal, or why nothing is charged. */
export type RenewalOutlook =
  | "free"
  /** This installation does not charge renewals yet. */
  | "not_charged_yet"
  | "covered"
  | "short"
  /** A charge is tried; only the owner sees whether their balance covers it. */
  | "tried"
  | "renewal_off"
  | "balance_off"
  | "not_active";

type RenewalState = Pick<
  ServerOverview,
  "status" | "renewal" | "automatic_renewal" | "include_balance"
>;

export function renewalOutlook(
  state: RenewalState,
  isCharged: boolean = productFeatures.renewals,
): RenewalOutlook {
  if (state.renewal === null) return "free";
  if (state.status !== "active") return "not_active";
  if (!isCharged) return "not_charged_yet";
  if (state.renewal.outcome !== "off") return state.renewal.outcome ?? "tried";
  return state.automatic_renewal ? "balance_off" : "renewal_off";
}

/** Whole euros that cover the missing amount: top-ups have no smaller steps. */
export function topUpEuros(missingCents: number): number {
  return Math.max(1, Math.ceil(missingCents / 100));
}

/** Why the toggles are disabled; null if they are enabled. */
export function toggleBar(
  status: Server["status"],
  role: Server["role"],
): "status" | "role" | null {
  if (status !== "active") return "status";
  return role === "owner" ? null : "role";
}
