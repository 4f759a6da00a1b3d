import { domainToASCII } from "node:url";

/**
 * The address field of a handshake carries more than the host: mods and proxies
 * append to it. Everything from the first NUL or `///` on is the suffix:
 * `\0FML\0`, `\0FML2\0`, `\0FML3\0`, `\0FORGE`, BungeeCord's `\0ip\0uuid[\0json]`,
 * and real-ip mods' `///ip:port///time...`. Forge sends its marker behind the
 * host as typed, so a trailing dot stands before the marker.
 */
export interface SplitHost {
  readonly host: string;
  /** With its separator; empty for none. */
  readonly suffix: string;
}

export function splitHost(address: string): SplitHost {
  const nul = address.indexOf("\0");
  const slashes = address.indexOf("///");
  let cut = address.length;
  if (nul >= 0) cut = nul;
  if (slashes >= 0 && slashes < cut) cut = slashes;
  return { host: address.slice(0, cut), suffix: address.slice(cut) };
}

/** FML of 1.7 to 1.12, FML2 and FML3 to 1.20.1, FORGE with or without a number since. */
const forgeMarker = /\0(?:FML[23]?(?:\0|$)|FORGE\d{0,3})/;

/**
 * Whether the suffix marks a Forge client. NeoForge since 1.20.2 and Fabric have no marker, and a client
 * can omit it.
 */
export function hasForgeMarker(suffix: string): boolean {
  return suffix !== "" && forgeMarker.test(suffix);
}

/** BungeeCord's address of a player, and that of real-ip mods. */
const playerAddress = /\0[\d.:a-fA-F]{2,45}\0|^\/\/\//;

/** Whether the suffix names the player's address, as only proxies write it. */
export function namesPlayerAddress(suffix: string): boolean {
  return suffix !== "" && playerAddress.test(suffix);
}

/** The marker alone, with its NULs; "" for none. */
function forgeMarkerOf(suffix: string): string {
  return suffix === "" ? "" : (forgeMarker.exec(suffix)?.[0] ?? "");
}

const suffixStart = /\p{Cc}|\/\/\//u;

/**
 * The part of a client's address that a backend gets: nothing from the first control character or `///`
 * on but the marker of a mod loader. Behind a NUL BungeeCord writes the address and the account of a
 * player, and behind `///` other proxies write the address; a backend that is set up for one of them
 * believes it even if a client has written it.
 */
export function forwardedHost(address: string): string {
  const cut = address.search(suffixStart);
  return cut < 0 ? address : address.slice(0, cut) + forgeMarkerOf(address.slice(cut));
}

const upperOrForeign = /[^!-@[-~]/;
const foreign = /[^!-~]/;
/** Source: url.spec.whatwg.org, "Host miscellaneous", forbidden domain code points. */
const notInHosts = /[\p{Cc} #%/:<>?@[\\\]^|]/u;

/**
 * Normalises a host for comparison: lower case, no trailing dots, IDNA as punycode.
 *
 * @returns "" when it cannot be a host name
 */
export function normaliseHost(host: string): string {
  let name = withoutDots(host);
  // Checked before the conversion, whose cost grows faster than the length. A name that is too long as
  // typed is too long as punycode.
  if (name.length > hostOctetsMax || hasLongLabel(name)) return "";
  if (upperOrForeign.test(name)) {
    name = foreign.test(name) ? asciiOf(name) : name.toLowerCase();
  }
  return name.length > hostOctetsMax ? "" : name;
}

/** The conversion parses the host of a URL and would drop characters that end a host. */
function asciiOf(name: string): string {
  return notInHosts.test(name) ? "" : withoutDots(domainToASCII(name));
}

function withoutDots(name: string): string {
  let end = name.length;
  while (end > 0 && name.charCodeAt(end - 1) === 0x2e) end--;
  return end === name.length ? name : name.slice(0, end);
}

function hasLongLabel(name: string): boolean {
  let start = 0;
  for (;;) {
    const dot = name.indexOf(".", start);
    if ((dot === -1 ? name.length : dot) - start > labelOctetsMax) return true;
    if (dot === -1) return false;
    start = dot + 1;
  }
}

/** Octets of one label (RFC 1035 2.3.4). */
const labelOctetsMax = 63;
/** Octets of a domain name without its trailing dot (RFC 1035 2.3.4, as text). */
const hostOctetsMax = 253;
