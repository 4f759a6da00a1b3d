/** A source as numbers: an IPv4 address is the second, an IPv6 /64 is both. */
export interface SourceNumbers {
  /** 4 or 6; 0: no address. */
  family: 0 | 4 | 6;
  high: number;
  low: number;
}

const ipv6Digits = 16;
const zero = 0x30;
const dot = 0x2e;

/**
 * Reads a key of `sourceKey`; what is no address is of no family. Nothing is made, since every
 * connection comes by.
 */
export function readSource(key: string, into: SourceNumbers): void {
  into.high = 0;
  into.low = 0;
  into.family =
    key.length === ipv6Digits && !key.includes(".") ? readIpv6(key, into) : readIpv4(key, into);
}

function readIpv4(key: string, into: SourceNumbers): 0 | 4 {
  let parts = 1;
  let part = 0;
  let low = 0;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    if (code === dot) {
      low = (low << 8) | part;
      part = 0;
      parts++;
    } else if (code >= zero && code < zero + 10) part = 10 * part + code - zero;
    else return 0;
    if (part > 255) return 0;
  }
  into.low = ((low << 8) | part) >>> 0;
  return parts === 4 ? 4 : 0;
}

function readIpv6(key: string, into: SourceNumbers): 0 | 6 {
  for (let index = 0; index < ipv6Digits; index++) {
    const digit = hexDigit(key.charCodeAt(index));
    if (digit < 0) return 0;
    if (index < ipv6Digits / 2) into.high = ((into.high << 4) | digit) >>> 0;
    else into.low = ((into.low << 4) | digit) >>> 0;
  }
  return 6;
}

function hexDigit(code: number): number {
  if (code >= zero && code < zero + 10) return code - zero;
  return code >= 0x61 && code <= 0x66 ? code - 0x61 + 10 : -1;
}

/** CIDR of the source alone (/32, /64) or of those around it (/24, /48). */
export function networkText(family: number, high: number, low: number, isAround: boolean): string {
  if (family === 4) {
    const bytes = [low >>> 24, (low >>> 16) & 255, (low >>> 8) & 255, low & 255];
    return `${bytes.join(".")}/${isAround ? 24 : 32}`;
  }
  const groups = [high >>> 16, high & 0xffff, low >>> 16];
  if (!isAround) groups.push(low & 0xffff);
  return `${groups.map((group) => group.toString(16)).join(":")}::/${isAround ? 48 : 64}`;
}

/** The second number of the network around a source: its /24 or /48. */
export function aroundOf(family: number, low: number): number {
  return (low & (family === 4 ? 0xffff_ff00 : 0xffff_0000)) >>> 0;
}
