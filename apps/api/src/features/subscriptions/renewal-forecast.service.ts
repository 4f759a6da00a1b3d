import type { ServerOverview } from "@palisade/contract/http/servers";
import { formatCents } from "#src/features/ledger/money.service.ts";

/** Renewals are charged from so long before the period's end (decision 25). */
const chargedBeforeEndMs = 24 * 3_600_000;

export interface RenewalFacts {
  readonly periodEndsAt: Date;
  readonly priceCents: number;
  readonly automaticRenewal: boolean;
  readonly includeBalance: boolean;
  readonly spendableCents: number;
}

/** The next renewal as it would go with what is on file now. Balance only: there are no cards yet. */
export function forecastRenewal(facts: RenewalFacts): NonNullable<ServerOverview["renewal"]> {
  const { priceCents } = facts;
  const isTried = facts.automaticRenewal && facts.includeBalance;
  const missing = Math.max(0, priceCents - Math.max(0, facts.spendableCents));
  return {
    charge_at: new Date(facts.periodEndsAt.getTime() - chargedBeforeEndMs).toISOString(),
    price: formatCents(priceCents),
    price_cents: priceCents,
    outcome: !isTried ? "off" : missing === 0 ? "covered" : "short",
    missing: formatCents(missing),
    missing_cents: missing,
  };
}
