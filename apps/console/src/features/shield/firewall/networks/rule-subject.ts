import { countryCodes, countryName } from "@palisade/contract/http/country-rules";
import type { NetworkRule } from "@palisade/contract/http/network-rules";

/** The country of what was typed: its name in the reader's language, or its code. */
export function countryTyped(typed: string, locale: string): string | undefined {
  const wanted = typed.trim().toLocaleLowerCase(locale);
  return countryCodes.find(
    (code) =>
      code.toLowerCase() === wanted ||
      countryName(code, locale).toLocaleLowerCase(locale) === wanted,
  );
}

/** Every country by its name, in the order of the reader's alphabet. */
export function countryNames(locale: string): string[] {
  return countryCodes
    .map((code) => countryName(code, locale))
    .toSorted((a, b) => a.localeCompare(b, locale));
}

/** The number of what was typed, with `AS` in front or without; undefined for anything else. */
export function asnTyped(typed: string): number | undefined {
  const [, digits] = /^(?:AS)?\s*(\d{1,10})$/i.exec(typed.trim()) ?? [];
  const number = Number(digits);
  return digits === undefined || number > 0xffff_ffff ? undefined : number;
}

/** The rule's country or network, for people. */
export function subjectName({ country, asn }: NetworkRule, locale: string): string {
  return country === null ? `AS${asn}` : countryName(country, locale);
}
