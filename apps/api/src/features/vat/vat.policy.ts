import type { PlaceEvidence, TaxDecision } from "#src/schema/documents.ts";
import { vatCountry, vatRates } from "./vat-rates.ts";

/** An answer of VIES counts for this long; it is asked again after a third of it. */
const answerHoldsMs = 90 * 86_400_000;

export interface VatGrounds {
  readonly seller: { readonly country: string; readonly chargesVat: boolean } | null;
  readonly evidence: PlaceEvidence;
  /** The answer about the VAT id that the profile has now. */
  readonly vatId: { readonly isValid: boolean; readonly answeredAt: Date } | null;
}

/**
 * Decides about the VAT of a sale of an electronic service. A business is one whose VAT id was
 * confirmed; until then it is charged as a consumer. A buyer without a known country is charged
 * the seller's rate.
 */
export function decideVat({ seller, evidence, vatId }: VatGrounds, now: Date): TaxDecision {
  if (seller === null || !seller.chargesVat) {
    return { treatment: "none", rate_bp: 0, country: null, evidence: null };
  }
  const home = vatCountry(seller.country);
  const country = vatCountry(placeOf(evidence) ?? seller.country);
  const rateBp = vatRates.get(country)?.rateBp;
  if (rateBp === undefined) return { treatment: "outside", rate_bp: 0, country: null, evidence };
  if (country === home) return { treatment: "domestic", rate_bp: rateBp, country, evidence };
  if (isConfirmed(vatId, now)) {
    return { treatment: "reverse_charge", rate_bp: 0, country: null, evidence };
  }
  return { treatment: "destination", rate_bp: rateBp, country, evidence };
}

/** The profile's country comes first, because it is the one that the buyer answers for. */
function placeOf({ profile, card, wallet, ip }: PlaceEvidence): string | null {
  return profile ?? card ?? wallet ?? ip;
}

function isConfirmed(vatId: VatGrounds["vatId"], now: Date): boolean {
  if (vatId === null || !vatId.isValid) return false;
  return now.getTime() - vatId.answeredAt.getTime() <= answerHoldsMs;
}

/** The tax on a net amount, to the nearest cent, halves up. */
export function taxCentsOf(netCents: number, rateBp: number): number {
  return Math.round((netCents * rateBp) / 10_000);
}

const hourMs = 3_600_000;

/** When VIES is asked again after an answer. */
export function nextAfterAnswer(isValid: boolean, now: Date): Date {
  return new Date(now.getTime() + (isValid ? 30 : 7) * 24 * hourMs);
}

/** When VIES is asked again after it has not answered `tries` times: 10 minutes, then longer, up to a day. */
export function nextAfterSilence(tries: number, now: Date): Date {
  return new Date(now.getTime() + Math.min((hourMs / 6) * 2 ** Math.min(tries, 10), 24 * hourMs));
}
