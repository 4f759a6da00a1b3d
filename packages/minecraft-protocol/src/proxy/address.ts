/**
 * IP addresses as bytes. Texts come from sockets, the resolver and owners' lists. The parser accepts
 * only the forms of RFC 4291 2.2 (no octal, no short IPv4).
 */

/** 4 or 16 bytes. IPv4-mapped IPv6 addresses become the 4 bytes of IPv4. */
export type IpBytes = Uint8Array;

/** @returns undefined when the text is not an IP address */
export function parseIp(text: string): IpBytes | undefined {
  if (!text.includes(":")) return parseIpv4(text);
  const bytes = parseIpv6(text);
  return bytes === undefined ? undefined : unmapped(bytes);
}

/** Bytes that an IPv4-mapped address begins with: ten of 0, two of ff. */
function unmapped(bytes: Uint8Array): IpBytes {
  for (let index = 0; index < 10; index++) if (bytes[index] !== 0) return bytes;
  return bytes[10] === 0xff && bytes[11] === 0xff ? bytes.subarray(12) : bytes;
}

function parseIpv4(text: string): Uint8Array | undefined {
  if (text.length < 7 || text.length > 15) return undefined;
  const bytes = new Uint8Array(4);
  let part = 0;
  let digits = 0;
  let value = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : dot;
    if (code === dot) {
      if (digits === 0 || part > 3) return undefined;
      bytes[part++] = value;
      digits = 0;
      value = 0;
      continue;
    }
    const digit = code - 0x30;
    if (digit < 0 || digit > 9 || (digits > 0 && value === 0)) return undefined;
    value = value * 10 + digit;
    digits++;
    if (value > 255) return undefined;
  }
  return part === 4 ? bytes : undefined;
}

const dot = 0x2e;
const group = /^[0-9a-f]{1,4}$/i;
const ipv6CharactersMax = 45;

function parseIpv6(text: string): Uint8Array | undefined {
  if (text.length > ipv6CharactersMax) return undefined;
  const halves = text.split("::");
  const left = parseGroups(halves[0] ?? "", halves.length === 1);
  const right = halves.length === 2 ? parseGroups(halves[1] ?? "", true) : [];
  if (left === undefined || right === undefined || halves.length > 2) return undefined;
  const given = left.length + right.length;
  if (halves.length === 2 ? given > 14 : given !== 16) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(left, 0);
  bytes.set(right, 16 - right.length);
  return bytes;
}

/** The bytes of groups between colons; the last may be dotted where the address ends with it. */
function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, part] of groups.entries()) {
    if (part.includes(".")) {
      const dotted = last && index === groups.length - 1 ? parseIpv4(part) : undefined;
      if (dotted === undefined) return undefined;
      bytes.push(...dotted);
    } else {
      if (!group.test(part)) return undefined;
      const value = Number.parseInt(part, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}

/** The address as text. IPv6 is written with all eight groups: `2001:db8:0:0:0:0:0:1`. */
export function formatIp(ip: IpBytes): string {
  if (ip.length === 4) return ip.join(".");
  const groups = Array.from({ length: 8 }, (_, n) =>
    (((ip[2 * n] ?? 0) << 8) | (ip[2 * n + 1] ?? 0)).toString(16),
  );
  return groups.join(":");
}
