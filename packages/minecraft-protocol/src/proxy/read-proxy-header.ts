import { parseIp } from "./address.ts";
import type { Endpoint } from "./proxy-v2.ts";

/**
 * Reads PROXY protocol headers, versions 1 and 2, of a proxy in front. Source:
 * haproxy.org, "The PROXY protocol, versions 1 & 2", sections 2.1 and 2.2.
 */

/** Both ends of the connection that the proxy accepted. */
export interface ProxiedEnds {
  readonly source: Endpoint;
  readonly destination: Endpoint;
}

export type ProxyHeaderResult =
  | { readonly kind: "need-more" }
  | { readonly kind: "malformed" }
  /** `ends` is undefined when the header names none, for a connection of the proxy itself. */
  | { readonly kind: "header"; readonly length: number; readonly ends: ProxiedEnds | undefined };

const signature2 = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const signature1 = Buffer.from("PROXY ", "latin1");
/** With the end of the line; section 2.1. */
const line1BytesMax = 107;
const head2Bytes = 16;
/** Addresses and the type-length-values that proxies append, which are skipped. */
export const payload2BytesMax = 2_048;

const needMore: ProxyHeaderResult = { kind: "need-more" };
const malformed: ProxyHeaderResult = { kind: "malformed" };

/**
 * Reads the header at the beginning of the bytes. Reads no byte behind it and keeps nothing.
 *
 * @param bytes everything received so far; it never waits for more than a header can have
 */
export function readProxyHeader(bytes: Buffer): ProxyHeaderResult {
  if (bytes.length === 0) return needMore;
  if (beginsLike(bytes, signature2)) return readVersion2(bytes);
  return beginsLike(bytes, signature1) ? readVersion1(bytes) : malformed;
}

/** Whether the bytes equal the signature, over the shorter length. */
function beginsLike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length);
  return bytes.compare(signature, 0, length, 0, length) === 0;
}

function readVersion2(bytes: Buffer): ProxyHeaderResult {
  if (bytes.length < head2Bytes) return needMore;
  const versionAndCommand = bytes.readUInt8(12);
  const family = bytes.readUInt8(13);
  const payloadBytes = bytes.readUInt16BE(14);
  if (payloadBytes > payload2BytesMax) return malformed;
  const isLocal = versionAndCommand === 0x20;
  if (!isLocal && versionAndCommand !== 0x21) return malformed;
  const length = head2Bytes + payloadBytes;
  const addressBytes = addressBytesOf(family);
  const namesEnds = !isLocal && addressBytes > 0;
  // Family and addresses of LOCAL are ignored; the unspecified family counts as LOCAL.
  if (!isLocal && !namesEnds && family !== 0) return malformed;
  if (namesEnds && payloadBytes < 2 * addressBytes + 4) return malformed;
  if (bytes.length < length) return needMore;
  return {
    kind: "header",
    length,
    ends: namesEnds ? endsAt(bytes, head2Bytes, addressBytes) : undefined,
  };
}

/** Bytes of an address over TCP; 0 for everything else. */
function addressBytesOf(family: number): number {
  if (family === 0x11) return 4;
  return family === 0x21 ? 16 : 0;
}

function endsAt(bytes: Buffer, at: number, size: number): ProxiedEnds {
  const end = at + 2 * size;
  return {
    source: { ip: ipAt(bytes, at, size), port: bytes.readUInt16BE(end) },
    destination: { ip: ipAt(bytes, at + size, size), port: bytes.readUInt16BE(end + 2) },
  };
}

const mappedPrefix = Buffer.from("00000000000000000000ffff", "hex");

/** A copy, so that an address does not keep the whole buffer alive. IPv4-mapped addresses become IPv4. */
function ipAt(bytes: Buffer, at: number, size: number): Uint8Array {
  const isMapped = size === 16 && bytes.compare(mappedPrefix, 0, 12, at, at + 12) === 0;
  return Uint8Array.from(bytes.subarray(isMapped ? at + 12 : at, at + size));
}

const endpoints1 = /^(TCP4|TCP6) (\S+) (\S+) (0|[1-9]\d{0,4}) (0|[1-9]\d{0,4})$/;

function readVersion1(bytes: Buffer): ProxyHeaderResult {
  const end = bytes.subarray(0, line1BytesMax).indexOf("\r\n", signature1.length, "latin1");
  if (end < 0) return bytes.length >= line1BytesMax ? malformed : needMore;
  const text = bytes.toString("latin1", signature1.length, end);
  const length = end + 2;
  // Everything behind UNKNOWN is ignored.
  if (text === "UNKNOWN" || text.startsWith("UNKNOWN ")) {
    return { kind: "header", length, ends: undefined };
  }
  const [, family, source, destination, sourcePort, destinationPort] = endpoints1.exec(text) ?? [];
  const from = endpointOf(family, source, sourcePort);
  const to = endpointOf(family, destination, destinationPort);
  if (from === undefined || to === undefined) return malformed;
  return { kind: "header", length, ends: { source: from, destination: to } };
}

function endpointOf(
  family: string | undefined,
  address: string | undefined,
  port: string | undefined,
): Endpoint | undefined {
  if (address === undefined || address.includes(":") !== (family === "TCP6")) return undefined;
  const ip = parseIp(address);
  return ip === undefined || Number(port) > 65_535 ? undefined : { ip, port: Number(port) };
}
