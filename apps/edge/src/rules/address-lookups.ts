import type { Refusal } from "@palisade/login-rules/login-attempt";
import type { Place } from "@palisade/login-rules/source-history";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { type CompiledRanges, rangeOf, wordOf } from "@palisade/login-rules/address-set";

/** Why a range is listed, for the owner's log. */
export interface VpnLabel {
  /** The list it comes from. */
  readonly list: string;
  /** The listed autonomous system it belongs to. */
  readonly asn?: number;
  /** The kind of address that the list gives. */
  readonly kind?: string;
}

/** Disjoint ranges in order, each with a number that says what is known of it. */
export interface LabelledRanges extends CompiledRanges {
  readonly labels: Uint32Array;
}

/** All lists in one. Words lie in memory that threads share. */
export interface VpnTable {
  readonly ranges4: LabelledRanges;
  readonly ranges6: LabelledRanges;
  /** By the numbers in the ranges. */
  readonly labels: readonly VpnLabel[];
}

const none = new Uint32Array(0);
const noRanges: LabelledRanges = { count: 0, firsts: none, lasts: none, labels: none };
const noTable: VpnTable = { ranges4: noRanges, ranges6: noRanges, labels: [] };

/** Looks up addresses of VPNs, proxies and data centres, for one thread. */
export class VpnLookup {
  /** Whether any address is listed. */
  hasRanges = false;
  #table = noTable;
  /** By label, made when the first one is met. */
  #refusals: (Refusal | undefined)[] = [];
  readonly #words4 = new Uint32Array(1);
  readonly #words6 = new Uint32Array(4);

  /** From the next login on. */
  use(table: VpnTable): void {
    this.#table = table;
    this.hasRanges = table.ranges4.count + table.ranges6.count > 0;
    this.#refusals = [];
  }

  /** Why the address is refused, where anti-VPN is on; undefined if it is in no list. */
  find(ip: IpBytes): Refusal | undefined {
    const isIp4 = ip.length === 4;
    const words = isIp4 ? this.#words4 : this.#words6;
    for (let index = 0; index < words.length; index++) words[index] = wordOf(ip, index);
    const ranges = isIp4 ? this.#table.ranges4 : this.#table.ranges6;
    const place = rangeOf(ranges, words);
    return place < 0 ? undefined : this.#refusalOf(ranges.labels[place] ?? 0);
  }

  #refusalOf(number: number): Refusal {
    return (this.#refusals[number] ??= refusalFor(this.#table.labels[number]));
  }
}

function refusalFor({ list, asn, kind }: VpnLabel = { list: "vpn" }): Refusal {
  const facts = {
    list,
    ...(asn !== undefined && { asn: `AS${asn}` }),
    ...(kind !== undefined && { kind }),
  };
  return { reason: "vpn", facts };
}

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
