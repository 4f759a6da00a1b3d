import ipaddr from "ipaddr.js";

/** Names that resolve inside a network or on the machine itself, whatever their address. */
const privateNames = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/i;

/**
 * Whether a backend may be reached from an edge outside development (decision 38): public
 * unicast addresses, the ranges the operator allows, and host names. A host name's addresses
 * are checked by the edge when it dials, because they may change at any time.
 */
export function isPublicBackend(host: string, allowedRanges: readonly string[]): boolean {
  const bare = host.replace(/\.$/, "");
  if (!ipaddr.isValid(bare)) return !privateNames.test(bare);
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
