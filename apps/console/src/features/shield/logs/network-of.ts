/**
 * The network around an address that one provider's customer usually has: /24, or /64 of IPv6.
 *
 * @example
 * networkOf("203.0.113.7") // "203.0.113.0/24"
 */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return `${ip.split(".").slice(0, 3).join(".")}.0/24`;
  const [begin = "", end] = ip.split("::");
  const head = begin === "" ? [] : begin.split(":");
  const tail = end === undefined || end === "" ? [] : end.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0");
  const groups = end === undefined ? head : [...head, ...zeros, ...tail];
  return `${groups
    .slice(0, 4)
    .join(":")
    .replace(/(:0)+$/, "")}::/64`;
}
