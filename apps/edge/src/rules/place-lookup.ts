import { rangeOf, wordOf } from "@palisade/login-rules/address-set";
import type { Place } from "@palisade/login-rules/source-history";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { LabelledRanges } from "./vpn-lookup.ts";

/** Addresses of both families with a number for each range. Words lie in memory that threads share. */
export interface PlaceRanges {
  readonly ranges4: LabelledRanges;
  readonly ranges6: LabelledRanges;
}

/** The operator's files, in the order of the setting: the first one that knows an address counts. */
export interface PlaceTable {
  /** The label of a range is the number of a country. */
  readonly countries: readonly PlaceRanges[];
  /** The label of a range is the number of an autonomous system. */
  readonly networks: readonly PlaceRanges[];
}

const letterA = 65;
const letters = 26;

/** The number of a country in labels; its code is two capital letters. */
export function countryNumber(code: string): number {
  return (code.charCodeAt(0) - letterA) * letters + code.charCodeAt(1) - letterA;
}

const countryCodes = Array.from({ length: letters * letters }, (_, number) =>
  String.fromCharCode(letterA + Math.floor(number / letters), letterA + (number % letters)),
);

const noPlaces: PlaceTable = { countries: [], networks: [] };

/** Looks up the countries and networks of addresses, for one thread. */
export class PlaceLookup {
  #table = noPlaces;
  readonly #words4 = new Uint32Array(1);
  readonly #words6 = new Uint32Array(4);

  /** From the next login on. */
  use(table: PlaceTable): void {
    this.#table = table;
  }

  /** Undefined if no file tells anything of the address. */
  readonly find = (ip: IpBytes): Place | undefined => {
    const { countries, networks } = this.#table;
    if (countries.length + networks.length === 0) return undefined;
    const words = ip.length === 4 ? this.#words4 : this.#words6;
    for (let index = 0; index < words.length; index++) words[index] = wordOf(ip, index);
    const country = labelIn(countries, words);
    const asn = labelIn(networks, words);
    if (country === undefined && asn === undefined) return undefined;
    return { country: country === undefined ? undefined : countryCodes[country], asn };
  };
}

function labelIn(files: readonly PlaceRanges[], words: Uint32Array): number | undefined {
  for (const { ranges4, ranges6 } of files) {
    const ranges = words.length === 1 ? ranges4 : ranges6;
    const place = rangeOf(ranges, words);
    if (place >= 0) return ranges.labels[place];
  }
  return undefined;
}
