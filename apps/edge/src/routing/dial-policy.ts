import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { type BackendPorts, isBackendPort } from "@palisade/contract/backend-ports";
import { type AddressSet, compileAddressSet } from "@palisade/login-rules/address-set";

/**
 * Decides which addresses an edge may dial for a customer. The address itself is checked right
 * before dialling, so that a name which resolves differently by then is caught.
 */
export interface DialPolicy {
  mayDial(ip: IpBytes, port: number): boolean;
}

export interface DialPolicyInput {
  /** Development: loopback and private addresses are fine. */
  readonly privateAllowed: boolean;
  /** Private CIDR ranges that are fine anyway. */
  readonly allowedRanges: readonly string[];
  readonly backendPorts: BackendPorts;
  /** Addresses of this edge: its interfaces and those players reach it at. */
  readonly ownAddresses: readonly string[];
  /** Addresses of the other edges, as far as they are known. */
  readonly fleet: { has(ip: IpBytes): boolean };
  /** Ports this edge listens on. */
  readonly ownPorts: ReadonlySet<number>;
}

/** Not for the public internet: RFC 6890's registries, multicast, and cloud metadata within link-local. */
const specialRanges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "::/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

const loopback = ["127.0.0.0/8", "0.0.0.0/32", "::/127"];

/** @throws Error where a range of the settings is no CIDR range */
export function createDialPolicy(facts: DialPolicyInput): DialPolicy {
  const special = rangesOf(specialRanges);
  const allowed = rangesOf(facts.allowedRanges);
  const own = rangesOf(facts.ownAddresses.filter((address) => parseIp(address) !== undefined));
  const ownOrLoopback = rangesOf(loopback);
  return {
    mayDial: (ip, port) => {
      if (!isBackendPort(facts.backendPorts, port)) return false;
      const isOwn = own.has(ip) || facts.fleet.has(ip);
      // The edge as its own backend would call itself without end.
      if (facts.ownPorts.has(port) && (isOwn || ownOrLoopback.has(ip))) return false;
      if (facts.privateAllowed || allowed.has(ip)) return true;
      return !isOwn && !special.has(ip);
    },
  };
}

/** @throws Error naming what is no address or CIDR range */
export function rangesOf(ranges: readonly string[]): AddressSet {
  const result = compileAddressSet(ranges);
  if (!result.ok) throw new Error(`${result.invalid} is no address or CIDR range`);
  return result.set;
}

/**
 * Addresses of all edges, as last received from the control plane; empty before that. Two edges
 * that are each other's backend would pass one connection round without end.
 */
export class FleetAddresses {
  #set: AddressSet | null = null;

  /** Text that is no address is skipped: nodes give theirs in any spelling. */
  replace(addresses: readonly string[]): void {
    const readable = addresses.filter((address) => parseIp(address) !== undefined);
    const compiled = compileAddressSet(readable);
    if (compiled.ok) this.#set = compiled.set;
  }

  has(ip: IpBytes): boolean {
    return this.#set?.has(ip) ?? false;
  }
}
