import type { IpBytes } from "./address.ts";

/**
 * PROXY protocol version 2 headers. Source: haproxy.org, "The PROXY protocol,
 * versions 1 & 2", section 2.2: signature, version and command, family and
 * transport, length, addresses and ports.
 */

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const versionAndProxy = 0x21;
const versionAndLocal = 0x20;
const families = { ipv4: 0x10, ipv6: 0x20 } as const;
const transports = { tcp: 0x1, udp: 0x2 } as const;

/** For connections of the proxy itself, such as health checks: no addresses follow. */
export const proxyV2Local: Uint8Array = Buffer.concat([
  signature,
  Buffer.from([versionAndLocal, 0, 0, 0]),
]);

export interface Endpoint {
  readonly ip: IpBytes;
  readonly port: number;
}

/** Bytes of the longest header made here. */
export const proxyV2BytesMax = 52;

/**
 * The header of a relayed connection, or of a player's datagrams. If source and destination are of different families, the IPv4
 * address is written as IPv4-mapped IPv6.
 *
 * @param source the player
 * @param destination the address the player connected to
 */
export function encodeProxyV2(
  source: Endpoint,
  destination: Endpoint,
  transport: keyof typeof transports = "tcp",
): Buffer {
  const asIpv4 = source.ip.length === 4 && destination.ip.length === 4;
  const size = asIpv4 ? 4 : 16;
  const header = Buffer.alloc(signature.length + 4 + 2 * size + 4);
  header.set(signature, 0);
  header.writeUInt8(versionAndProxy, 12);
  header.writeUInt8(families[asIpv4 ? "ipv4" : "ipv6"] | transports[transport], 13);
  header.writeUInt16BE(2 * size + 4, 14);
  writeIp(header, 16, size, source.ip);
  writeIp(header, 16 + size, size, destination.ip);
  header.writeUInt16BE(source.port, 16 + 2 * size);
  header.writeUInt16BE(destination.port, 18 + 2 * size);
  return header;
}

function writeIp(header: Buffer, at: number, size: number, ip: IpBytes): void {
  header.set(ip, at + size - ip.length);
  if (size === 16 && ip.length === 4) header.fill(0xff, at + 10, at + 12);
}
