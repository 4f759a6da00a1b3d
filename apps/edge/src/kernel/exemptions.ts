import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { type AddressSet, compileAddressSet } from "#src/protection/address-set.ts";

/** Wider ranges speak for the shield alone: no owner can trust the world on behalf of the edge. */
const widestBits4 = 16;
const widestBits6 = 32;

const loopback = ["127.0.0.0/8", "::1/128"];

/** Whom owners trust on their shields, and who is never banned from the edge for it. */
export class Exemptions {
  readonly #sets = new Map<string, AddressSet>();
  /** Counts changes, so that bans can be looked at again. */
  changes = 0;

  /** @param always CIDR ranges that are exempt whatever owners say: proxies that speak for many */
  constructor(always: readonly string[]) {
    this.#put("always", [...loopback, ...always], 0, 0);
  }

  apply({ shield_id: id, lists }: ShieldConfig): void {
    this.#put(id, lists.whitelist_enabled ? lists.whitelist : [], widestBits4, widestBits6);
  }

  remove(shieldId: string): void {
    this.#put(shieldId, [], 0, 0);
  }

  /** Whether a ban would meet anybody who is trusted. @param network CIDR as of `Ban` */
  covers(network: string): boolean {
    const ip = parseIp(network.slice(0, network.indexOf("/")));
    if (ip === undefined) return false;
    for (const set of this.#sets.values()) if (set.has(ip)) return true;
    return false;
  }

  #put(id: string, entries: readonly string[], bits4: number, bits6: number): void {
    const widened = entries.flatMap((entry) => asBanned(entry, bits4, bits6));
    if (widened.length === 0 && !this.#sets.has(id)) return;
    this.changes++;
    const result = compileAddressSet(widened);
    if (widened.length === 0 || !result.ok) this.#sets.delete(id);
    else this.#sets.set(id, result.set);
  }
}

/**
 * What of an entry no ban may be: itself; of an IPv6 address its whole /64; and the first address
 * of the /24 or /48 around it, by which the ban of those is known.
 */
function asBanned(entry: string, bits4: number, bits6: number): string[] {
  const [text = "", given] = entry.split("/");
  const ip = parseIp(text);
  if (ip === undefined) return [];
  const isIp4 = ip.length === 4;
  const prefix = given === undefined ? ip.length * 8 : Number(given);
  // An IPv4-mapped range counts its bits from the other end; nobody writes one by hand.
  if (isIp4 && text.includes(":")) return [];
  if (prefix < (isIp4 ? bits4 : bits6)) return [];
  if (isIp4) return [`${text}/${prefix}`, ...(prefix > 24 ? [`${first4(ip)}/32`] : [])];
  return [`${text}/${Math.min(prefix, 64)}`, ...(prefix > 48 ? [`${first6(ip)}/64`] : [])];
}

function first4(ip: Uint8Array): string {
  return [...ip.subarray(0, 3), 0].join(".");
}

function first6(ip: Uint8Array): string {
  const group = (n: number): string => (((ip[n] ?? 0) << 8) | (ip[n + 1] ?? 0)).toString(16);
  return `${group(0)}:${group(2)}:${group(4)}::`;
}
