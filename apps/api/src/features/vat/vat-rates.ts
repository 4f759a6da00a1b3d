/** Standard rate of VAT of a country, for services that are supplied electronically. */
export interface VatRate {
  /** Hundredths of a per cent: 1900 is 19 %. */
  readonly rateBp: number;
  /** The day the rate came into force, where it changed since 2024. */
  readonly since?: string;
}

/**
 * The one table of VAT rates. Source: European Commission, "Taxes in Europe Database" (TEDB), standard
 * rates, as in force on 2026-01-01. Compare it with https://ec.europa.eu/taxation_customs/tedb before VAT
 * is switched on, and once a year.
 */
export const vatRates: ReadonlyMap<string, VatRate> = new Map([
  ["AT", { rateBp: 2_000 }],
  ["BE", { rateBp: 2_100 }],
  ["BG", { rateBp: 2_000 }],
  ["CY", { rateBp: 1_900 }],
  ["CZ", { rateBp: 2_100 }],
  ["DE", { rateBp: 1_900 }],
  ["DK", { rateBp: 2_500 }],
  ["EE", { rateBp: 2_400, since: "2025-07-01" }],
  ["ES", { rateBp: 2_100 }],
  ["FI", { rateBp: 2_550, since: "2024-09-01" }],
  ["FR", { rateBp: 2_000 }],
  ["GR", { rateBp: 2_400 }],
  ["HR", { rateBp: 2_500 }],
  ["HU", { rateBp: 2_700 }],
  ["IE", { rateBp: 2_300 }],
  ["IT", { rateBp: 2_200 }],
  ["LT", { rateBp: 2_100 }],
  ["LU", { rateBp: 1_700, since: "2024-01-01" }],
  ["LV", { rateBp: 2_100 }],
  ["MT", { rateBp: 1_800 }],
  ["NL", { rateBp: 2_100 }],
  ["PL", { rateBp: 2_300 }],
  ["PT", { rateBp: 2_300 }],
  ["RO", { rateBp: 2_100, since: "2025-08-01" }],
  ["SE", { rateBp: 2_500 }],
  ["SI", { rateBp: 2_200 }],
  ["SK", { rateBp: 2_300, since: "2025-01-01" }],
]);

/** Monaco is part of the French territory for VAT (Directive 2006/112/EC, article 7). */
const partsOfOthers: Readonly<Record<string, string>> = { MC: "FR" };

/** The country whose VAT applies; places outside the EU are themselves. */
export function vatCountry(country: string): string {
  return partsOfOthers[country] ?? country;
}

/** The prefix of a VAT id at VIES. */
export function vatIdPrefix(country: string): string {
  const code = vatCountry(country);
  return code === "GR" ? "EL" : code;
}
