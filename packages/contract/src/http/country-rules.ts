/**
 * Countries, and what their postcodes and VAT ids look like: one table for server and console.
 *
 * - countries: ISO 3166-1 alpha-2 with XK (Kosovo), as i18n-iso-countries lists them (a test compares)
 * - postcodes: Universal Postal Union, "Postal addressing systems", and Google's libaddressinput
 * - VAT ids: European Commission, "VIES: structure of VAT identification numbers", elsewhere the
 *   country's own tax number. Only the form is checked, not whether the number was ever issued
 */
export const countryCodes: readonly string[] =
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
  EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
  HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
  LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
  TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s+/);

const known = new Set(countryCodes);

export function isCountry(code: string): boolean {
  return known.has(code);
}

/** The country's name in a language, from the platform's own data (CLDR). */
export function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames([locale], { type: "region" }).of(code) ?? code;
}

/** Places whose mail has no postcode: there the field may stay empty. */
const withoutPostcode = new Set(
  `AE AG AO AQ AW BF BI BJ BO BQ BS BV BW BZ CD CF CG CI CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM
  KI KM KN KP LC ML MO MR MW NR NU QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TV UG VU WS YE
  ZW`.split(/\s+/),
);

const digits = (count: number | string): RegExp => new RegExp(`^\\d{${count}}$`);
const grouped: readonly (readonly [RegExp, string])[] = [
  [digits(3), "FO GN IS LS MG OM PG"],
  [
    digits(4),
    `AF AL AM AT AU BD BE BG CC CH CK CV CX CY DK ET GE GW HM HT HU LI LR MK MZ NE NF NO NZ PA PH
    PY SJ TN ZA`,
  ],
  [
    digits(5),
    `AX BA BT CR CU DE DO DZ EE EG EH ES FI FR GF GP GT HN HR ID IQ IT JO KE KH KR KW LA LK LY MA
    MC ME MF BL MM MQ MV MX MY NA NC NI NP PE PF PK PM RE SD SM SN TH TR UA UY VA WF XK YT ZM`,
  ],
  [digits(6), "BY CN CO EC IN KG KZ NG RO RU SG TJ TM TT UZ"],
  [/^\d{5}(-?\d{4})?$/, "AS FM GU MH MP PR PW SA UM US VI"],
  [/^\d{5,6}$/, "MN RS VN"],
  [/^\d{3} ?\d{2}$/, "CZ GR SE SK"],
  [/^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/, "GB GG IM JE"],
];

const postcodes: ReadonlyMap<string, RegExp> = new Map([
  ...grouped.flatMap(([form, codes]) => codes.split(/\s+/).map((code) => [code, form] as const)),
  ["AD", /^(AD)?\d{3}$/],
  ["AI", /^(AI-?)?2640$/],
  ["AR", /^([A-HJ-NP-Z]?\d{4}|[A-HJ-NP-Z]\d{4}[A-Z]{3})$/],
  ["AZ", /^(AZ ?)?\d{4}$/],
  ["BB", /^(BB)?\d{5}$/],
  ["BH", /^\d{3,4}$/],
  ["BM", /^[A-Z]{2} ?[A-Z\d]{2}$/],
  ["BN", /^[A-Z]{2} ?\d{4}$/],
  ["BR", /^\d{5}-?\d{3}$/],
  ["CA", /^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/],
  ["CL", /^\d{3}-?\d{4}$/],
  ["FK", /^FIQQ ?1ZZ$/],
  ["GI", /^GX11 ?1AA$/],
  ["GL", /^39\d{2}$/],
  ["GS", /^SIQQ ?1ZZ$/],
  ["IE", /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/],
  ["IL", /^\d{5}(\d{2})?$/],
  ["IO", /^BBND ?1ZZ$/],
  ["IR", /^\d{5}-?\d{5}$/],
  ["JP", /^\d{3}-?\d{4}$/],
  ["KY", /^KY\d-\d{4}$/],
  ["LB", /^\d{4}( ?\d{4})?$/],
  ["LT", /^(LT-?)?\d{5}$/],
  ["LU", /^(L-?)?\d{4}$/],
  ["LV", /^(LV-?)?\d{4}$/],
  ["MD", /^(MD-?)?\d{4}$/],
  ["MS", /^(MSR ?)?\d{4}$/],
  ["MT", /^[A-Z]{3} ?\d{2,4}$/],
  ["MU", /^(\d{5}|[AR]\d{4})$/],
  ["NL", /^[1-9]\d{3} ?[A-Z]{2}$/],
  ["PL", /^\d{2}-?\d{3}$/],
  ["PN", /^PCRN ?1ZZ$/],
  ["PT", /^\d{4}(-?\d{3})?$/],
  ["SH", /^(ASCN|STHL|TDCU) ?1ZZ$/],
  ["SI", /^(SI-?)?\d{4}$/],
  ["SV", /^(CP ?)?\d{4}$/],
  ["SZ", /^[HLMS]\d{3}$/],
  ["TC", /^TKCA ?1ZZ$/],
  ["TW", /^\d{3}(\d{2,3})?$/],
  ["TZ", /^\d{4,5}$/],
  ["VC", /^VC\d{4}$/],
  ["VE", /^\d{4}$/],
  ["VG", /^VG\d{4}$/],
]);

/** Elsewhere only the length is known, as the specification has it. */
const anyPostcode = /^[A-Z\d][A-Z\d -]{3,7}[A-Z\d]$/;

export function needsPostcode(country: string): boolean {
  return !withoutPostcode.has(country);
}

/** As it is written on an envelope: capitals, single spaces. */
export function normalizePostcode(typed: string): string {
  return typed.trim().toUpperCase().replaceAll(/\s+/g, " ");
}

export function isPostcode(country: string, typed: string): boolean {
  const postcode = normalizePostcode(typed);
  if (withoutPostcode.has(country)) return postcode.length <= 12;
  return (postcodes.get(country) ?? anyPostcode).test(postcode);
}

/** Without the country's prefix, which may stand before each. */
const vatIds: Readonly<Record<string, RegExp>> = {
  AE: /^\d{15}$/,
  AL: /^[JKLM]\d{8}[A-Z]$/,
  AM: /^\d{8}$/,
  AR: /^\d{11}$/,
  AT: /^U\d{8}$/,
  AU: /^\d{11}$/,
  BA: /^\d{12,13}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  BR: /^\d{14}$/,
  BY: /^\d{9}$/,
  CA: /^\d{9}(RT\d{4})?$/,
  CH: /^E?\d{9}(MWST|TVA|IVA)?$/,
  CL: /^\d{7,8}[\dK]$/,
  CN: /^([\dA-Z]{15}|[\dA-Z]{18})$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  GE: /^(\d{9}|\d{11})$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IL: /^\d{9}$/,
  IN: /^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/,
  IS: /^\d{5,6}$/,
  IT: /^\d{11}$/,
  JP: /^T?\d{13}$/,
  KG: /^\d{14}$/,
  KR: /^\d{10}$/,
  KZ: /^\d{12}$/,
  LI: /^\d{5}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MC: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  MD: /^(\d{7}|\d{13})$/,
  ME: /^\d{8}$/,
  MK: /^\d{13}$/,
  MT: /^\d{8}$/,
  MX: /^[A-Z&Ñ]{3,4}\d{6}[A-Z\d]{3}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(MVA)?$/,
  NZ: /^\d{8,9}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  RS: /^\d{9}$/,
  RU: /^(\d{10}|\d{12})$/,
  SA: /^\d{15}$/,
  SE: /^\d{12}$/,
  SG: /^[A-Z\d]{9,10}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  TH: /^\d{13}$/,
  TR: /^\d{10,11}$/,
  TW: /^\d{8}$/,
  UA: /^\d{8,12}$/,
  US: /^\d{9}$/,
  UZ: /^\d{9}$/,
  ZA: /^\d{10}$/,
};

/** Elsewhere only the length is known, as the specification has it. */
const anyVatId = /^[A-Z\d]{8,12}$/;
/** Countries whose prefix is not their own code. */
const vatPrefixes: Readonly<Record<string, string>> = { GR: "EL", MC: "FR" };

/** Capitals, without the spaces, dots, hyphens and slashes people write between groups. */
export function normalizeVatId(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s./-]/g, "");
}

export function isVatId(country: string, typed: string): boolean {
  const vatId = normalizeVatId(typed);
  const form = vatIds[country];
  if (form === undefined) return anyVatId.test(vatId);
  const prefix = vatPrefixes[country] ?? country;
  return form.test(vatId) || (vatId.startsWith(prefix) && form.test(vatId.slice(prefix.length)));
}

export interface CountryFields {
  readonly country: string;
  readonly zip_code: string;
  readonly vat_id?: string | null | undefined;
}

/** Fields that the country of an address does not allow, with the key of their text. */
export function countryIssues(fields: CountryFields): { path: string; message: string }[] {
  const { country, zip_code: postcode, vat_id: vatId } = fields;
  if (!isCountry(country)) return [{ path: "country", message: "country.invalid" }];
  const issues: { path: string; message: string }[] = [];
  if (postcode.trim() === "") {
    if (needsPostcode(country)) issues.push({ path: "zip_code", message: "required" });
  } else if (!isPostcode(country, postcode)) {
    issues.push({ path: "zip_code", message: "zip_code.invalid" });
  }
  if (vatId && !isVatId(country, vatId)) {
    issues.push({ path: "vat_id", message: "vat_id.invalid" });
  }
  return issues;
}
