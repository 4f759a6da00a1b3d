import ipaddr from "ipaddr.js";

/**
 * Normalised addresses, IPv4 first, in numerical order, without duplicates. Anything that is not an
 * address is left out, because these lines end up in scripts that run as root.
 */
export function tidyAddresses(given: readonly string[]): string[] {
  const known = new Map<string, ipaddr.IPv4 | ipaddr.IPv6>();
  for (const text of given) {
    const bare = text.replace(/%.*$/s, "");
    if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) continue;
    const address = ipaddr.process(bare);
    known.set(address.toString(), address);
  }
  return [...known.entries()].toSorted((a, b) => compare(a[1], b[1])).map(([text]) => text);
}

function compare(a: ipaddr.IPv4 | ipaddr.IPv6, b: ipaddr.IPv4 | ipaddr.IPv6): number {
  const [left, right] = [a.toByteArray(), b.toByteArray()];
  if (left.length !== right.length) return left.length - right.length;
  const index = left.findIndex((byte, place) => byte !== right[place]);
  return (left[index] ?? 0) - (right[index] ?? 0);
}
