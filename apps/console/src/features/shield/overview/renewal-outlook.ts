import type { Server, ServerOverview } from "@palisade/contract/http/servers";

/** How the next renewal looks; why nothing will be charged where nothing will. */
export type RenewalOutlook =
  | "free"
  | "covered"
  | "short"
  /** It is tried, and whether it is paid for is between the owner and their balance. */
  | "tried"
  | "renewal_off"
  | "balance_off"
  | "not_active";

type Facts = Pick<ServerOverview, "status" | "renewal" | "automatic_renewal" | "include_balance">;

export function renewalOutlook(facts: Facts): RenewalOutlook {
  if (facts.renewal === null) return "free";
  if (facts.status !== "active") return "not_active";
  if (facts.renewal.outcome !== "off") return facts.renewal.outcome ?? "tried";
  return facts.automatic_renewal ? "balance_off" : "renewal_off";
}

/** Whole euros that cover what is missing: top-ups are made in no smaller steps. */
export function topUpEuros(missingCents: number): number {
  return Math.max(1, Math.ceil(missingCents / 100));
}

/** Why the toggles cannot be used at all; null where they can. */
export function toggleBar(
  status: Server["status"],
  role: Server["role"],
): "status" | "role" | null {
  if (status !== "active") return "status";
  return role === "owner" ? null : "role";
}
