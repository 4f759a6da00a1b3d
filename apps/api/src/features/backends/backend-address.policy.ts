import ipaddr from "ipaddr.js";

/**
 * Normalises a backend: addresses compressed and in lower case, IPv4-mapped IPv6
 * (`::ffff:1.2.3.4`) as IPv4, names in lower case without the last dot. Octal and short forms were
 * refused before (`isBackendAddress`), because parsers read them differently.
 */
export function normalizeBackend(typed: string): string {
  const bare = typed.trim().toLowerCase().replace(/\.$/, "");
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare).toString() : bare;
}

/** Names that resolve inside a network or on the machine itself, whatever their address. */
const privateNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/i;

/** Whether the name exists only inside a network: it cannot be owned or reached from outside. */
export function isPrivateName(name: string): boolean {
  return privateNames.test(name.replace(/\.$/, ""));
}

/**
 * Whether edges may dial the backend outside development: public unicast addresses, the ranges the
 * operator allows, and host names. The edge checks the addresses of a host name when it dials,
 * because they may change at any time.
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
