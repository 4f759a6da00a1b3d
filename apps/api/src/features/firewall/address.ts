import { isAddressOrRange } from "@palisade/contract/http/firewall";
import ipaddr from "ipaddr.js";

/**
 * The one spelling of an address or CIDR range: IPv6 compressed, host bits of a range cleared,
 * `/32` and `/128` dropped, IPv4 in IPv6 clothing (`::ffff:1.2.3.4`) as IPv4, because that is
 * how the edge sees such a player. Null where it is neither.
 */
export function normalizeAddress(typed: string): string | null {
  const text = typed.trim();
  // ipaddr.js alone would read octal and short forms, which mean different things to people.
  if (!isAddressOrRange(text)) return null;
  if (!text.includes("/")) return ipaddr.process(text).toString();
  const [address, prefix] = unmap(ipaddr.parseCIDR(text));
  const full = address.kind() === "ipv4" ? 32 : 128;
  if (prefix === full) return address.toString();
  const network =
    address.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${prefix}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${prefix}`);
  return `${network.toString()}/${prefix}`;
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function unmap([address, prefix]: Range): Range {
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= 96) {
    return [address.toIPv4Address(), prefix - 96];
  }
  return [address, prefix];
}
