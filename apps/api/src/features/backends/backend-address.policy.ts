import ipaddr from "ipaddr.js";

/**
 * The one spelling of a backend: addresses compressed and in lower case, IPv4 in IPv6 clothing
 * (`::ffff:1.2.3.4`) as IPv4, names in lower case without the last dot. Octal and short forms are
 * names to nobody and were refused before (`isBackendAddress`): parsers read them differently.
 */
export function normalizeBackend(typed: string): string {
  const bare = typed.trim().toLowerCase().replace(/\.$/, "");
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare).toString() : bare;
}

/** Names that resolve inside a network or on the machine itself, whatever their address. */
const privateNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/i;

/** Whether only some network knows the name: nobody outside can own it, or reach what it names. */
export function isPrivateName(name: string): boolean {
  return privateNames.test(name.replace(/\.$/, ""));
}

/**
 * Whether a backend may be reached from an edge outside development (decision 38): public
 * unicast addresses, the ranges the operator allows, and host names. A host name's addresses
 * are checked by the edge when it dials, because they may change at any time.
 */
export function isPublicBackend(host: string, allowedRanges: readonly string[]): boolean {
  const bare = host.replace(/\.$/, "");
  if (!ipaddr.isValid(bare)) return !isPrivateName(bare);
  const address = ipaddr.process(bare);
  if (allowedRanges.some((range) => isInside(address, range))) return true;
  return address.range() === "unicast";
}

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  if (!ipaddr.isValidCIDR(range)) return ipaddr.isValid(range) && isSame(address, range);
  const [network, prefix] = ipaddr.parseCIDR(range);
  return network.kind() === address.kind() && address.match(network, prefix);
}

function isSame(address: ipaddr.IPv4 | ipaddr.IPv6, other: string): boolean {
  return ipaddr.process(other).toString() === address.toString();
}
