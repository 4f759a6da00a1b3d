import type { ServerOverview } from "@palisade/contract/http/servers";
import { formatCents } from "#src/features/ledger/money.service.ts";
import { firstTryAt } from "./billing-period.service.ts";

export interface RenewalTerms {
  readonly status: ServerOverview["status"];
  readonly now: Date;
  readonly periodEndsAt: Date;
  /** With VAT. */
  readonly priceCents: number;
  readonly automaticRenewal: boolean;
  readonly includeBalance: boolean;
  /** Null if the reader may not see the balance: then the forecast says nothing about it either. */
  readonly spendableCents: number | null;
  /** Another plan begins with the next period, so it is charged at its start. */
  readonly isPlanned: boolean;
  /** Whether a saved card is tried before the balance. */
  readonly hasCard: boolean;
}

/** How the next renewal would go with the present settings, cards and balance. */
export function forecastRenewal(facts: RenewalTerms): NonNullable<ServerOverview["renewal"]> {
  const { priceCents, hasCard } = facts;
  const isTried = facts.automaticRenewal && (facts.includeBalance || hasCard);
  const lacking = Math.max(0, priceCents - Math.max(0, facts.spendableCents ?? 0));
  const missing = facts.spendableCents === null ? null : hasCard ? 0 : lacking;
  const chargeAt = facts.isPlanned ? facts.periodEndsAt : firstTryAt(facts.periodEndsAt);
  return {
    charge_at: chargeAt.toISOString(),
    price: formatCents(priceCents),
    price_cents: priceCents,
    outcome: isTried ? coverOf(missing) : "off",
    missing: missing === null ? null : formatCents(missing),
    missing_cents: missing,
    paid_from: facts.spendableCents === null ? null : hasCard ? "card" : "balance",
    is_due: isRenewable(facts),
  };
}

/**
 * Whether the owner can renew now: from a day before the end, and as long as the shield has
 * expired. A period on another plan is begun by the job.
 */
export function isRenewable(
  state: Pick<RenewalTerms, "status" | "isPlanned" | "periodEndsAt" | "now">,
): boolean {
  if (state.status === "expired") return true;
  return (
    state.status === "active" && !state.isPlanned && firstTryAt(state.periodEndsAt) <= state.now
  );
}

function coverOf(missing: number | null): "covered" | "short" | null {
  if (missing === null) return null;
  return missing === 0 ? "covered" : "short";
}
