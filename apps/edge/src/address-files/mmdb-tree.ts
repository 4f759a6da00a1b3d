import type { Reader } from "mmdb-lib";
import type { Width, Words } from "@palisade/login-rules/address-set";
import { vpnLimits } from "./limits.ts";

/** Each node is met once; twice that is for files that save some by using them again. */
const visitsPerNode = 2;
/** Bits above the IPv4 addresses in a tree of IPv6. */
const bitsAbove4 = 96;
/** The range of all public IPv6 addresses: 2000::/3. */
const globalUnicast = [0, 0, 1] as const;

/** @param first and @param last hold only as long as the call */
export type OnNetwork = (first: Words, last: Words, pointer: number) => void;

/**
 * The search tree of a file in MaxMind's format, gone through from the lowest address to the
 * highest; asking the library for one network after the other takes twenty times as long.
 *
 * @throws whatever a damaged file leads to
 * @see https://maxmind.github.io/MaxMind-DB/ "Binary Search Tree Section"
 */
export class MmdbTree {
  readonly #bytes: Buffer;
  readonly #nodeCount: number;
  readonly #nodeBytes: number;
  readonly #isTree6: boolean;
  #visitsLeft: number;

  constructor(bytes: Buffer, { nodeCount, nodeByteSize, ipVersion }: Reader<never>["metadata"]) {
    if (ipVersion !== 4 && ipVersion !== 6) throw new Error("it is of no known IP version");
    if (!(nodeCount * nodeByteSize <= bytes.length)) throw new Error("its tree is cut off");
    this.#bytes = bytes;
    this.#nodeCount = nodeCount;
    this.#nodeBytes = nodeByteSize;
    this.#isTree6 = ipVersion === 6;
    this.#visitsLeft = Math.min(vpnLimits.nodesMax, visitsPerNode * nodeCount);
  }

  networks4(onNetwork: OnNetwork): void {
    this.#under(this.#start4(), new Walk(1, onNetwork), 0);
  }

  /** The IPv4 networks are in it a second time, as 6to4 and Teredo: those are left out. */
  networks6(onNetwork: OnNetwork): void {
    if (!this.#isTree6) return;
    const walk = new Walk(4, onNetwork);
    let record = 0;
    for (const [depth, bit] of globalUnicast.entries()) {
      walk.set(depth, bit);
      if (record < this.#nodeCount) record = this.#record(record, bit);
    }
    this.#under(record, walk, globalUnicast.length, this.#start4());
  }

  #start4(): number {
    let record = 0;
    if (!this.#isTree6) return record;
    for (let bit = 0; bit < bitsAbove4 && record < this.#nodeCount; bit++) {
      record = this.#record(record, 0);
    }
    return record;
  }

  #under(record: number, walk: Walk, depth: number, except?: number): void {
    if (record > this.#nodeCount) walk.found(depth, record);
    if (record >= this.#nodeCount || record === except) return;
    // Nodes that lead to each other would be gone through for ever.
    if (depth === walk.bits) throw new Error("its tree is too deep");
    if (this.#visitsLeft-- === 0) throw new Error("its tree is too large");
    this.#under(this.#record(record, 0), walk, depth + 1, except);
    walk.set(depth, 1);
    this.#under(this.#record(record, 1), walk, depth + 1, except);
    walk.set(depth, 0);
  }

  /** A node below the number of nodes, else nothing or a place in the data. */
  #record(node: number, side: 0 | 1): number {
    const at = node * this.#nodeBytes;
    switch (this.#nodeBytes) {
      case 6: {
        return this.#bytes.readUIntBE(at + 3 * side, 3);
      }
      case 7: {
        const middle = this.#bytes.readUInt8(at + 3);
        const high = side === 0 ? middle >>> 4 : middle & 15;
        return high * 0x100_0000 + this.#bytes.readUIntBE(at + 4 * side, 3);
      }
      default: {
        return this.#bytes.readUInt32BE(at + 4 * side);
      }
    }
  }
}

/** The current position in the address space. */
class Walk {
  readonly bits: number;
  readonly #first: Words;
  readonly #last: Words;
  readonly #onNetwork: OnNetwork;

  constructor(width: Width, onNetwork: OnNetwork) {
    this.bits = 32 * width;
    this.#first = new Uint32Array(width);
    this.#last = new Uint32Array(width);
    this.#onNetwork = onNetwork;
  }

  set(depth: number, bit: 0 | 1): void {
    const index = depth >>> 5;
    const mask = 0x8000_0000 >>> (depth & 31);
    const word = this.#first[index] ?? 0;
    this.#first[index] = bit === 1 ? word | mask : word & ~mask;
  }

  found(prefix: number, pointer: number): void {
    for (let index = 0; index < this.#first.length; index++) {
      const given = Math.min(32, Math.max(0, prefix - 32 * index));
      this.#last[index] = (this.#first[index] ?? 0) | (given === 32 ? 0 : 0xffff_ffff >>> given);
    }
    this.#onNetwork(this.#first, this.#last, pointer);
  }
}
