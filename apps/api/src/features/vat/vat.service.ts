import type { CallerVat, VatIdCheck } from "@palisade/contract/http/vat";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { TaxDecision } from "#src/schema/documents.ts";
import { saveEvidence, selectVatGrounds, selectVatIdCheck } from "./vat.repository.ts";
import { decideVat, taxCentsOf, vatIdState } from "./vat.policy.ts";

/** A net price with the tax on it. */
export interface TaxedPrice {
  readonly netCents: number;
  readonly taxCents: number;
  /** The buyer pays this. */
  readonly grossCents: number;
  readonly decision: TaxDecision;
}

/** Prices are net: this is what a user pays for one, as things are now. */
export async function taxPrice(
  db: Executor,
  {
    userId,
    netCents,
    at,
  }: { readonly userId: string; readonly netCents: number; readonly at: Date },
): Promise<TaxedPrice> {
  const row = await selectVatGrounds(db, userId);
  const { profile, card, wallet, ip, network, is_valid: isValid, answered_at: answeredAt } = row;
  const answer = isValid === null || answeredAt === null ? null : { isValid, answeredAt };
  const decision = decideVat(
    {
      seller:
        row.seller_country === null
          ? null
          : { country: row.seller_country, chargesVat: row.charges_vat === true },
      evidence: {
        profile,
        card,
        wallet,
        ip,
        network,
        vat_id_answer: answer && { at: answer.answeredAt.toISOString(), reference: row.reference },
      },
      vatId: answer,
    },
    at,
  );
  const taxCents = taxCentsOf(netCents, decision.rate_bp);
  return { netCents, taxCents, grossCents: netCents + taxCents, decision };
}

/** Adds the VAT that the user pays at this moment, for several prices. */
export async function grossPrices(
  db: Executor,
  userId: string,
  at: Date,
): Promise<(netCents: number) => number> {
  return (await grossPricing(db, userId, at)).gross;
}

/** The same, with the rate. */
export async function grossPricing(db: Executor, userId: string, at: Date) {
  const { decision } = await taxPrice(db, { userId, netCents: 0, at });
  return {
    vatRate: rateText(decision.rate_bp),
    gross: (netCents: number) => netCents + taxCentsOf(netCents, decision.rate_bp),
  };
}

/** The VAT of a purchase that the user would make now, as screens show it. */
export async function readCallerVat(db: Executor, userId: string, at: Date): Promise<CallerVat> {
  const { decision } = await taxPrice(db, { userId, netCents: 0, at });
  return {
    treatment: decision.treatment,
    rate: rateText(decision.rate_bp),
    country: decision.country,
  };
}

/** A rate in hundredths of a per cent as per cent with two digits. */
export function rateText(rateBp: number): string {
  return (rateBp / 100).toFixed(2);
}

/** What VIES has said about the VAT id that the user's profile has now. */
export async function readVatIdCheck(db: Executor, userId: string, at: Date): Promise<VatIdCheck> {
  return vatIdState(await selectVatIdCheck(db, userId), at);
}

/**
 * Stores the country that a payment named, as evidence of where the buyer is: of a card, of a wallet's
 * payer, or of the address that a provider saw. Anything but two capital letters is ignored.
 */
export async function noteCountry(
  trx: Trx,
  evidence: Parameters<typeof saveEvidence>[1],
): Promise<void> {
  if (/^[A-Z]{2}$/.test(evidence.country)) await saveEvidence(trx, evidence);
}
