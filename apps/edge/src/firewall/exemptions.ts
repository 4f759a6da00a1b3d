import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { parseRange } from "@palisade/login-rules/address-set";

/**
 * One shield exempts at most this many addresses, and as many IPv6 /64s: a /16 and all single ones
 * of its list. No owner can trust the world on behalf of the edge.
 */
const reachMax = 131_072;

const loopback = ["127.0.0.0/8", "::1"];

/** Addresses that owners trust on their shields; the edge never bans them. */
export class Exemptions {
  /** By shield, if it trusts any address. */
  readonly #lists = new Map<string, readonly string[]>();
  /** Trusted networks by prefix length: an address is looked up once for each length in use. */
  readonly #networks = new Map<number, CountedSet>();
  /** Networks that may not be banned as a whole because a trusted address lies in them. */
  readonly #around = new CountedSet();
  /** Counts additions, so that bans can be checked again. */
  changes = 0;

  /** @param always CIDR ranges that are exempt whatever owners say: proxies that speak for many */
  constructor(always: readonly string[]) {
    this.#count(networksOf([...loopback, ...always]), 1);
  }

  apply({ shield_id: id, status, lists }: ShieldConfig): void {
    const isHeard = status === "active" && lists.whitelist_enabled;
    this.#replace(id, isHeard ? lists.whitelist : []);
  }

  remove(shieldId: string): void {
    this.#replace(shieldId, []);
  }

  /**
   * Whether a ban would affect a trusted address.
   *
   * @param network CIDR as of `Ban`
   */
  covers(network: string): boolean {
    const ban = digitsOf(network);
    if (ban === undefined) return false;
    if (this.#around.has(ban)) return true;
    for (const [length, networks] of this.#networks) {
      if (length <= ban.length && networks.has(ban.slice(0, length))) return true;
    }
    return false;
  }

  /** Most configurations change something else. */
  #replace(id: string, list: readonly string[]): void {
    const before = this.#lists.get(id) ?? [];
    if (list.length === before.length && list.every((entry, n) => entry === before[n])) return;
    const known = new Set(before);
    if (list.some((entry) => !known.has(entry))) this.changes++;
    this.#count(heardOf(before), -1);
    this.#count(heardOf(list), 1);
    if (list.length === 0) this.#lists.delete(id);
    else this.#lists.set(id, list);
  }

  #count(networks: Iterable<string>, by: 1 | -1): void {
    for (const network of networks) {
      const { length } = network;
      const same = this.#networks.get(length) ?? new CountedSet();
      same.add(network, by);
      if (same.size === 0) this.#networks.delete(length);
      else this.#networks.set(length, same);
      const around = kindOf(network).around;
      if (length > around) this.#around.add(network.slice(0, around), by);
    }
  }
}

/** A network as the digit of its family and as many binary digits as its prefix says. */
type Digits = string;

/** Digits of a source, and of the network around it that is banned as a whole. */
const kinds = { "4": { whole: 33, around: 25 }, "6": { whole: 65, around: 49 } };

function kindOf(network: Digits) {
  return kinds[network.startsWith("4") ? "4" : "6"];
}

const byteDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(2).padStart(8, "0"));

/** An IPv6 address counts as its /64, because that is what is banned. */
function digitsOf(entry: string): Digits | undefined {
  const range = parseRange(entry);
  if (range === undefined) return undefined;
  const { ip, prefix } = range;
  let digits = ip.length === 4 ? "4" : "6";
  for (const byte of ip.subarray(0, 8)) digits += byteDigits[byte] ?? "";
  return digits.slice(0, Math.min(1 + prefix, kindOf(digits).whole));
}

function networksOf(entries: readonly string[]): Set<Digits> {
  return new Set(entries.flatMap((entry) => digitsOf(entry) ?? []));
}

/** The part of a shield's list that counts: the narrowest networks, up to the limit. */
function heardOf(entries: readonly string[]): Digits[] {
  const left = { "4": reachMax, "6": reachMax };
  return [...networksOf(entries)]
    .toSorted((a, b) => b.length - a.length)
    .filter((network) => {
      const family = network.startsWith("4") ? "4" : "6";
      const reach = 2 ** (kinds[family].whole - network.length);
      if (reach > left[family]) return false;
      left[family] -= reach;
      return true;
    });
}

class CountedSet {
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#counts.size;
  }

  has(item: string): boolean {
    return this.#counts.has(item);
  }

  add(item: string, by: 1 | -1): void {
    const count = (this.#counts.get(item) ?? 0) + by;
    if (count === 0) this.#counts.delete(item);
    else this.#counts.set(item, count);
  }
}
