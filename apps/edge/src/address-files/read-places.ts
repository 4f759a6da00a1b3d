import {
  contentOf,
  countryOf,
  fieldsOf,
  networkOf,
} from "@palisade/address-databases/record-fields";
import type { Words } from "@palisade/login-rules/address-set";
import { Reader, type Response } from "mmdb-lib";
import { countryNumber, type PlaceRanges } from "#src/rules/address-lookups.ts";
import { MmdbTree } from "#src/address-files/mmdb-tree.ts";
import { RangeWriter } from "#src/address-files/range-writer.ts";

/** One file, read and checked. A part that it does not have is absent. */
export interface PlaceFile {
  readonly countries?: PlaceRanges | undefined;
  readonly networks?: PlaceRanges | undefined;
}

/**
 * Reads a file in MaxMind's format into plain ranges, so that a login costs a search in them and a damaged
 * file is met before it is used.
 *
 * @throws what is wrong with the file
 */
export function readPlaces(bytes: Buffer): PlaceFile {
  const reader = new Reader<Response>(bytes);
  const { hasCountries, hasNetworks } = contentOf(reader.metadata.databaseType);
  if (!hasCountries && !hasNetworks) throw new Error("has neither countries nor networks");
  const lookUp = (address: string): unknown => reader.get(address);
  const countries = hasCountries ? new Part(lookUp, countryLabel) : undefined;
  const networks = hasNetworks ? new Part(lookUp, networkLabel) : undefined;
  const parts = [countries, networks].filter((part) => part !== undefined);
  const tree = new MmdbTree(bytes, reader.metadata);
  tree.networks4((first, last, pointer) => {
    for (const part of parts) part.note(part.ranges4, first, last, pointer);
  });
  tree.networks6((first, last, pointer) => {
    for (const part of parts) part.note(part.ranges6, first, last, pointer);
  });
  return { countries: countries?.finish(), networks: networks?.finish() };
}

function countryLabel(record: unknown): number | undefined {
  const code = countryOf(fieldsOf(record));
  return code === null ? undefined : countryNumber(code);
}

function networkLabel(record: unknown): number | undefined {
  return networkOf(fieldsOf(record))?.asn;
}

/** The countries of a file, or its networks. */
class Part {
  readonly ranges4 = new RangeWriter(1);
  readonly ranges6 = new RangeWriter(4);
  readonly #lookUp: (address: string) => unknown;
  readonly #labelOf: (record: unknown) => number | undefined;
  /** Labels by the position of their record, which many networks share. */
  readonly #labels = new Map<number, number | undefined>();

  constructor(
    lookUp: (address: string) => unknown,
    labelOf: (record: unknown) => number | undefined,
  ) {
    this.#lookUp = lookUp;
    this.#labelOf = labelOf;
  }

  /** @throws TooManyRanges where there are more than a table takes */
  note(writer: RangeWriter, first: Words, last: Words, pointer: number): void {
    let label = this.#labels.get(pointer);
    if (label === undefined && !this.#labels.has(pointer)) {
      label = this.#labelOf(this.#lookUp(addressText(first)));
      this.#labels.set(pointer, label);
    }
    if (label !== undefined) writer.append(first, 0, last, 0, label);
  }

  finish(): PlaceRanges {
    return { ranges4: this.ranges4.finish(), ranges6: this.ranges6.finish() };
  }
}

/** As the library takes it. */
function addressText(words: Words): string {
  const [ip4 = 0] = words;
  if (words.length === 1) return [24, 16, 8, 0].map((bits) => (ip4 >>> bits) & 255).join(".");
  const groups = [...words].flatMap((word) => [word >>> 16, word & 0xffff]);
  return groups.map((group) => group.toString(16)).join(":");
}
