import type { ServerOverview } from "@palisade/contract/http/servers";
import { formatCents } from "#src/features/ledger/money.service.ts";

/** A renewal is charged this long before the period ends. */
const chargedBeforeEndMs = 24 * 3_600_000;

export interface RenewalTerms {
  readonly periodEndsAt: Date;
  readonly priceCents: number;
  readonly automaticRenewal: boolean;
  readonly includeBalance: boolean;
  /** Null if the reader may not see the balance: then the forecast says nothing about it either. */
  readonly spendableCents: number | null;
}

/** How the next renewal would go with the present settings and balance. There are no cards yet. */
export function forecastRenewal(facts: RenewalTerms): NonNullable<ServerOverview["renewal"]> {
  const { priceCents } = facts;
  const isTried = facts.automaticRenewal && facts.includeBalance;
  const missing =
    facts.spendableCents === null
      ? null
      : Math.max(0, priceCents - Math.max(0, facts.spendableCents));
  return {
    charge_at: new Date(facts.periodEndsAt.getTime() - chargedBeforeEndMs).toISOString(),
    price: formatCents(priceCents),
    price_cents: priceCents,
    outcome: isTried ? coverOf(missing) : "off",
    missing: missing === null ? null : formatCents(missing),
    missing_cents: missing,
  };
}

function coverOf(missing: number | null): "covered" | "short" | null {
  if (missing === null) return null;
  return missing === 0 ? "covered" : "short";
}
