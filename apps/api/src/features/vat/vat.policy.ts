import type { VatIdCheck } from "@palisade/contract/http/vat";
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

/** The state of a VAT id on screens: an answer that no longer counts is as none. */
export function vatIdState(check: VatIdCheckRow, now: Date): VatIdCheck {
  const { seller_country: home, charges_vat: chargesVat, country, vat_id: vatId } = check;
  const isAsked =
    chargesVat === true &&
    home !== null &&
    country !== null &&
    vatId !== null &&
    vatRates.has(vatCountry(country)) &&
    vatCountry(country) !== vatCountry(home);
  if (!isAsked) return { state: "not_checked", answered_at: null };
  const { is_valid: isValid, answered_at: answeredAt } = check;
  if (isValid === null || answeredAt === null) return { state: "waiting", answered_at: null };
  const isOld = isValid && !isConfirmed({ isValid, answeredAt }, now);
  const state = isOld ? "waiting" : isValid ? "confirmed" : "refused";
  return { state, answered_at: answeredAt.toISOString() };
}

export interface VatIdCheckRow {
  readonly seller_country: string | null;
  readonly charges_vat: boolean | null;
  readonly country: string | null;
  readonly vat_id: string | null;
  readonly is_valid: boolean | null;
  readonly answered_at: Date | null;
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
