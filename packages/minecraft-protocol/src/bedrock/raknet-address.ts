import type { IpBytes } from "../proxy/address.ts";
import type { Endpoint } from "../proxy/proxy-v2.ts";

/**
 * Addresses in RakNet messages. IPv4: u8 4, four bytes inverted, u16 port. IPv6: u8 6, then a socket
 * address as Linux has it (ipv6(7)): u16 family in the sender's byte order, u16 port, u32 flow, 16
 * bytes, u32 scope. Source: minecraft.wiki, "RakNet", data type Address.
 */

const ipv4 = 4;
const ipv6 = 6;
/** Of Windows, which most clients write. */
const ipv6Family = 23;
export const ipv4AddressBytes = 7;
export const ipv6AddressBytes = 29;

/** @returns undefined where the bytes from `at` on are no address */
export function readRakNetAddress(bytes: Buffer, at: number): Endpoint | undefined {
  const family = bytes[at];
  if (family === ipv4 && bytes.length >= at + ipv4AddressBytes) {
    const ip = new Uint8Array(4);
    for (let index = 0; index < 4; index += 1) ip[index] = ~(bytes[at + 1 + index] ?? 0);
    return { ip, port: bytes.readUInt16BE(at + 5) };
  }
  if (family === ipv6 && bytes.length >= at + ipv6AddressBytes) {
    const ip: IpBytes = Uint8Array.prototype.slice.call(bytes, at + 9, at + 25);
    return { ip, port: bytes.readUInt16BE(at + 3) };
  }
  return undefined;
}

export function rakNetAddressBytes({ ip }: Endpoint): number {
  return ip.length === 4 ? ipv4AddressBytes : ipv6AddressBytes;
}

/** @returns the offset behind the address */
export function writeRakNetAddress(bytes: Buffer, at: number, { ip, port }: Endpoint): number {
  if (ip.length === 4) {
    bytes[at] = ipv4;
    for (let index = 0; index < 4; index += 1) bytes[at + 1 + index] = ~(ip[index] ?? 0);
    return bytes.writeUInt16BE(port, at + 5);
  }
  bytes[at] = ipv6;
  bytes.writeUInt16LE(ipv6Family, at + 1);
  bytes.writeUInt16BE(port, at + 3);
  bytes.writeUInt32BE(0, at + 5);
  bytes.set(ip, at + 9);
  return bytes.writeUInt32BE(0, at + 25);
}
