import { Reader, type Response } from "mmdb-lib";
import type { Words } from "@palisade/login-rules/address-set";
import { MmdbTree } from "./mmdb-tree.ts";
import { RangeWriter } from "./range-writer.ts";
import { flagKinds, type SourceRead } from "./parsed-list.ts";

/**
 * A file in MaxMind's format: networks with their AS number, or with what is known of them as in
 * GeoIP2 Anonymous IP. All of it is gone through once, here, so that a login costs one search in
 * plain ranges and a damaged file is met before it is used.
 */
export function readMmdb(name: string, bytes: Buffer): SourceRead {
  try {
    const reader = new Reader<Response>(bytes);
    const tree = new MmdbTree(bytes, reader.metadata);
    const found = new Findings((address) => reader.get(address));
    tree.networks4((first, last, pointer) => found.note(found.ranges4, first, last, pointer));
    tree.networks6((first, last, pointer) => found.note(found.ranges6, first, last, pointer));
    return found.read(name);
  } catch (error) {
    // The library throws whatever it stumbles over, out of the file's bounds too.
    return { problem: `is damaged: ${error instanceof Error ? error.message : "unreadable"}` };
  }
}

class Findings {
  readonly ranges4 = new RangeWriter(1);
  readonly ranges6 = new RangeWriter(4);
  readonly #lookUp: (address: string) => unknown;
  #kind: "asn" | "flags" | undefined;
  #entries = 0;
  /** Labels by the position of their record, which many networks share. */
  readonly #meanings = new Map<number, number | undefined>();

  constructor(lookUp: (address: string) => unknown) {
    this.#lookUp = lookUp;
  }

  /** @throws TooManyRanges where there are more than a table takes */
  note(writer: RangeWriter, first: Words, last: Words, pointer: number): void {
    let meaning = this.#meanings.get(pointer);
    if (meaning === undefined && !this.#meanings.has(pointer)) {
      meaning = this.#meaningOf(this.#lookUp(textOf(first)));
      this.#meanings.set(pointer, meaning);
    }
    if (meaning === undefined) return;
    this.#entries++;
    writer.append(first, 0, last, 0, meaning);
  }

  read(name: string): SourceRead {
    if (this.#kind === undefined) return { problem: "has neither AS numbers nor flags of VPNs" };
    const image = {
      name,
      kind: this.#kind,
      entries: this.#entries,
      ranges4: this.ranges4.finish(),
      ranges6: this.ranges6.finish(),
      asns: new Uint32Array(0),
    };
    return { image };
  }

  /** The first record with a meaning decides what the file is about. */
  #meaningOf(record: unknown): number | undefined {
    if (typeof record !== "object" || record === null) return undefined;
    const fields: Readonly<Record<string, unknown>> = { ...record };
    const asn = fields["autonomous_system_number"];
    if (typeof asn === "number" && this.#kind !== "flags") {
      this.#kind = "asn";
      return asn;
    }
    const flag = flagKinds.findIndex(([field]) => fields[field] === true);
    if (flag < 0 || this.#kind === "asn") return undefined;
    this.#kind = "flags";
    return flag;
  }
}

function textOf(words: Words): string {
  const [ip4 = 0] = words;
  if (words.length === 1) return [24, 16, 8, 0].map((bits) => (ip4 >>> bits) & 255).join(".");
  const groups = [...words].flatMap((word) => [word >>> 16, word & 0xffff]);
  return groups.map((group) => group.toString(16)).join(":");
}
