import type { ServerOverview } from "@palisade/contract/http/servers";
import { formatCents } from "#src/features/ledger/money.service.ts";

/** Renewals are charged from so long before the period's end (decision 25). */
const chargedBeforeEndMs = 24 * 3_600_000;

export interface RenewalTerms {
  readonly periodEndsAt: Date;
  readonly priceCents: number;
  readonly automaticRenewal: boolean;
  readonly includeBalance: boolean;
  /** Null where the balance is not the reader's to know: then nothing is told that follows from it. */
  readonly spendableCents: number | null;
}

/** The next renewal as it would go with what is on file now. Balance only: there are no cards yet. */
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
