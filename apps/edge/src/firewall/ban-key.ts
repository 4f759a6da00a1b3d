import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { type Key, mixBits } from "@palisade/shared-tables/seeded-hash";
import { aroundOf, readSource, type SourceNumbers } from "#src/rules/source-counts.ts";

/** Kinds of networks, none of them 0. */
const kind = { address4: 1, network4: 2, line6: 3, network6: 4 } as const;
type Kind = (typeof kind)[keyof typeof kind];
/** Bits of a tag that hold the kind. */
const kindMask = 7;

const kindOfPrefix = new Map<string, Kind>([
  ["32", kind.address4],
  ["24", kind.network4],
  ["64", kind.line6],
  ["48", kind.network6],
]);

/**
 * A banned network as a key of the shared table: the tag holds its kind, the rest its two words, so
 * that no network is ever taken for another. Each call overwrites the last result.
 */
export class BanKey implements Key {
  high = 0;
  low = 0;
  readonly rest = new Int32Array(2);
  readonly #seedLow: number;
  readonly #seedHigh: number;
  readonly #source: SourceNumbers = { family: 0, high: 0, low: 0 };

  /** @param seed 8 bytes, secret, so that an attacker cannot choose networks that share slots */
  constructor(seed: Uint8Array) {
    const view = new DataView(seed.buffer, seed.byteOffset);
    this.#seedLow = view.getInt32(0);
    this.#seedHigh = view.getInt32(4);
  }

  /** @returns whether the text is a network that can be banned */
  setNetwork(network: string): boolean {
    const [text = "", prefix = ""] = network.split("/");
    const of = kindOfPrefix.get(prefix);
    const ip = parseIp(text);
    if (of === undefined || ip === undefined) return false;
    const view = new DataView(ip.buffer, ip.byteOffset, ip.length);
    if (ip.length === 4) this.#set(of, 0, view.getInt32(0));
    else this.#set(of, view.getInt32(0), view.getInt32(4));
    return true;
  }

  /** @param source of `sourceKey`; false if it is no address */
  setSource(source: string): boolean {
    readSource(source, this.#source);
    const { family, high, low } = this.#source;
    if (family === 0) return false;
    this.#set(family === 4 ? kind.address4 : kind.line6, high, low);
    return true;
  }

  /** Goes on from the source of `setSource` to the network around it. */
  setAround(): void {
    const { family, high, low } = this.#source;
    this.#set(family === 4 ? kind.network4 : kind.network6, high, aroundOf(family, low));
  }

  #set(of: Kind, high: number, low: number): void {
    this.rest[0] = high;
    this.rest[1] = low;
    const hash = mixBits(mixBits(low ^ this.#seedHigh) ^ high);
    this.high = (hash & ~kindMask) | of;
    this.low = mixBits(mixBits(high ^ this.#seedLow) ^ low ^ of);
  }
}
