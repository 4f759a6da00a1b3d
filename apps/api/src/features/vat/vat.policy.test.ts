import { isCountry } from "@palisade/contract/http/country-rules";
import { describe, expect, test } from "vitest";
import type { PlaceEvidence } from "#src/schema/documents.ts";
import { decideVat, nextAfterSilence, taxCentsOf } from "./vat.policy.ts";
import { vatCountry, vatRates } from "./vat-rates.ts";

const now = new Date("2026-11-24T12:00:00Z");
const nothing: PlaceEvidence = {
  profile: null,
  card: null,
  wallet: null,
  ip: null,
  network: null,
  vat_id_answer: null,
};
const german = { country: "DE", chargesVat: true };
const confirmed = { isValid: true, answeredAt: now };

function decided(
  country: string | null,
  vatId: { readonly isValid: boolean; readonly answeredAt: Date } | null = null,
  seller: { readonly country: string; readonly chargesVat: boolean } | null = german,
): string {
  const evidence = { ...nothing, profile: country };
  const { treatment, rate_bp: rate } = decideVat({ seller, evidence, vatId }, now);
  return `${treatment} ${rate}`;
}

describe("VAT by country and business status", () => {
  test("every country of the EU has one rate between 15 and 30 %", () => {
    expect(vatRates.size).toBe(27);
    for (const [country, { rateBp }] of vatRates) {
      expect(isCountry(country), country).toBe(true);
      expect(rateBp, country).toBeGreaterThanOrEqual(1_500);
      expect(rateBp, country).toBeLessThanOrEqual(3_000);
      expect(Number.isInteger(rateBp), country).toBe(true);
    }
  });

  test.each([...vatRates.keys()].filter((country) => country !== "DE"))(
    "%s: consumers pay their country's rate, confirmed businesses owe it themselves",
    (country) => {
      const rate = vatRates.get(country)?.rateBp;
      expect(decided(country)).toBe(`destination ${rate}`);
      expect(decided(country, { isValid: false, answeredAt: now })).toBe(`destination ${rate}`);
      expect(decided(country, confirmed)).toBe("reverse_charge 0");
    },
  );

  test("buyers in the seller's country pay its rate, also as businesses", () => {
    expect(decided("DE")).toBe("domestic 1900");
    expect(decided("DE", confirmed)).toBe("domestic 1900");
  });

  test.each(["US", "GB", "CH", "KZ", "RU", "UA", "NO"])("%s is outside", (country) => {
    expect(decided(country)).toBe("outside 0");
    expect(decided(country, confirmed)).toBe("outside 0");
  });

  test("Monaco counts as France, for sellers and for buyers", () => {
    expect(vatCountry("MC")).toBe("FR");
    expect(decided("MC")).toBe("destination 2000");
    expect(decided("FR", null, { country: "MC", chargesVat: true })).toBe("domestic 2000");
  });

  test("a seller without VAT charges none, in every case", () => {
    for (const seller of [null, { country: "DE", chargesVat: false }]) {
      expect(decided("DE", null, seller)).toBe("none 0");
      expect(decided("AT", confirmed, seller)).toBe("none 0");
    }
  });

  test("an old answer of VIES does not count any more", () => {
    const answeredAt = new Date(now.getTime() - 91 * 86_400_000);
    expect(decided("AT", { isValid: true, answeredAt })).toBe("destination 2000");
  });

  test("without a profile the payment's country counts, and without any the seller's", () => {
    const of = (evidence: Partial<PlaceEvidence>) =>
      decideVat({ seller: german, evidence: { ...nothing, ...evidence }, vatId: null }, now);
    expect(of({ card: "FI", ip: "AT" })).toMatchObject({ rate_bp: 2_550, country: "FI" });
    expect(of({ wallet: "AT" })).toMatchObject({ rate_bp: 2_000, country: "AT" });
    expect(of({ ip: "US" }).treatment).toBe("outside");
    expect(of({})).toMatchObject({ treatment: "domestic", rate_bp: 1_900 });
    expect(of({ profile: "SE", card: "FI" }).country).toBe("SE");
  });

  test("the evidence is kept with the decision", () => {
    const evidence = { ...nothing, profile: "AT", card: "AT", network: "198.51.100.0/24" };
    expect(decideVat({ seller: german, evidence, vatId: null }, now).evidence).toEqual(evidence);
  });
});

describe("tax on a net amount", () => {
  test.each([
    [900, 1_900, 171],
    [1, 1_900, 0],
    [3, 1_900, 1],
    [50, 1_900, 10],
    [999, 2_550, 255],
    [2, 2_500, 1],
    [100_000_000_000, 2_700, 27_000_000_000],
    [1_234, 0, 0],
  ])("of %d cents at %d bp is %d", (net, rate, tax) => {
    expect(taxCentsOf(net, rate)).toBe(tax);
  });
});

test("a silent VIES is asked again later and later, at least once a day", () => {
  const pauses = Array.from(
    { length: 40 },
    (_, tries) => nextAfterSilence(tries, now).getTime() - now.getTime(),
  );
  expect(pauses[0]).toBe(600_000);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(Math.max(...pauses)).toBe(86_400_000);
});
