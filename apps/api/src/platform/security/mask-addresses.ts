/**
 * For members without the right to addresses. Half of an address is left, which tells that logins
 * come from one provider and not which player it is.
 *
 * @example
 * maskAddress("203.0.113.7") // "203.0.*.*"
 */
export function maskAddress(ip: string): string {
  if (!ip.includes(":")) return `${ip.split(".").slice(0, 2).join(".")}.*.*`;
  // Before `::`, groups may be missing.
  const [begin = ""] = ip.split("::");
  return `${begin.split(":").slice(0, 2).join(":")}:*`;
}

/** A port, a dot or the rest of a name may follow; `::ffff:` may be before. */
const ipv4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,3})?(?!\w)/g;
const ipv6 = /(?<![\w.:])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?:\/\d{1,3})?(?![\w:]|\.\d)/gi;

/** A text of the edge with every address in it shortened. */
export function maskText(text: string): string {
  return text.replaceAll(ipv4, maskAddress).replaceAll(ipv6, maskAddress);
}
