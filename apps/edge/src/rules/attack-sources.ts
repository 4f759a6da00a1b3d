import type { AttackDetail } from "@palisade/contract/edge/attack-detail";
import { attackTopMax } from "@palisade/contract/edge/attack-limits";
import { formatIp, type IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { FrequentItems } from "./frequent-items.ts";
import { nameShape } from "./name-shape.ts";

/** IPv4 as a number, which is fast; the /64 of IPv6 as four characters of 16 bits. */
type SourceKey = number | string;

export interface SourceSizes {
  readonly sources: number;
  readonly names: number;
}

/** Sizes for what a worker sees in a second, and for a whole attack. */
export const workerSizes: SourceSizes = { sources: 1_024, names: 256 };
export const attackSizes: SourceSizes = { sources: 2_048, names: 512 };

/** One thread's counts of the logins to one attacked shield; another thread can get them as a clone. */
export interface SourcesPart {
  readonly addresses: readonly (readonly [number, number])[];
  readonly networks: readonly (readonly [SourceKey, number])[];
  readonly names: readonly (readonly [string, number])[];
}

/** A source or a shape of names that has come less often is not worth a line. */
const topLoginsMin = 3;

/**
 * The attackers: the most frequent addresses, networks and shapes of names. Of IPv6 only the /64 is
 * counted, because one line can take any address in it.
 */
export class AttackSources {
  readonly #addresses: FrequentItems<number>;
  readonly #networks: FrequentItems<SourceKey>;
  readonly #names: FrequentItems<string>;

  constructor({ sources, names }: SourceSizes) {
    this.#addresses = new FrequentItems(sources);
    this.#networks = new FrequentItems(sources);
    this.#names = new FrequentItems(names);
  }

  note(ip: IpBytes, name: string): void {
    if (ip.length === 4) {
      const address =
        (((ip[0] ?? 0) << 24) | ((ip[1] ?? 0) << 16) | ((ip[2] ?? 0) << 8) | (ip[3] ?? 0)) >>> 0;
      this.#addresses.add(address);
      this.#networks.add(address >>> 8);
    } else {
      this.#networks.add(charactersOf(ip));
    }
    if (name !== "") this.#names.add(nameShape(name));
  }

  part(): SourcesPart {
    return {
      addresses: this.#addresses.entries(),
      networks: this.#networks.entries(),
      names: this.#names.entries(),
    };
  }

  add({ addresses, networks, names }: SourcesPart): void {
    for (const [key, logins] of addresses) this.#addresses.add(key, logins);
    for (const [key, logins] of networks) this.#networks.add(key, logins);
    for (const [key, logins] of names) this.#names.add(key, logins);
  }

  report(): Pick<AttackDetail, "addresses" | "networks" | "names"> {
    const top = <Key extends string | number>(items: FrequentItems<Key>) =>
      items.top(attackTopMax).filter(([, logins]) => logins >= topLoginsMin);
    return {
      addresses: top(this.#addresses).map(([key, logins]) => ({
        address: formatIp(bytesOf(key)),
        logins,
      })),
      networks: top(this.#networks).map(([key, logins]) => ({ network: networkOf(key), logins })),
      names: top(this.#names)
        .filter(([shape]) => printable.test(shape))
        .map(([shape, logins]) => ({ shape, logins })),
    };
  }
}

const printable = /^[\x20-\x7e]{1,16}$/;

function networkOf(key: SourceKey): string {
  if (typeof key === "number") return `${formatIp(bytesOf(key * 256))}/24`;
  return `${formatIp(bytesOfSix(key))}/64`;
}

function bytesOf(address: number): Uint8Array {
  return Uint8Array.of(
    address >>> 24,
    (address >>> 16) & 255,
    (address >>> 8) & 255,
    address & 255,
  );
}

/** The first 64 bits as text. */
function charactersOf(ip: IpBytes): string {
  const at = (index: number): number => ((ip[index] ?? 0) << 8) | (ip[index + 1] ?? 0);
  return String.fromCharCode(at(0), at(2), at(4), at(6));
}

function bytesOfSix(key: string): Uint8Array {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < key.length; index++) {
    bytes[2 * index] = key.charCodeAt(index) >>> 8;
    bytes[2 * index + 1] = key.charCodeAt(index) & 255;
  }
  return bytes;
}
