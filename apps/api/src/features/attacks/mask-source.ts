/**
 * An address or a network for members who may not see addresses: half of it is left.
 *
 * @example
 * maskSource("203.0.113.7") // "203.0.*.*"
 */
export function maskSource(source: string): string {
  const [address = ""] = source.split("/");
  if (!address.includes(":")) return `${address.split(".").slice(0, 2).join(".")}.*.*`;
  const [begin = ""] = address.split("::");
  return `${begin.split(":").slice(0, 2).join(":")}:*`;
}
