import { NativeMemory } from "./native-memory.ts";
import { families } from "./socket-flags.ts";

/** sockaddr_in (ip(7)) and sockaddr_in6 (ipv6(7)). */
const ipv4Bytes = 16;
const ipv6Bytes = 28;

/** Room for any address of this package, with the length field that accept4(2) wants behind it. */
export const socketAddressBytes = 32;

export interface InternetAddress {
  /** `192.0.2.1` or `2001:db8::1`, without a zone. */
  readonly ip: string;
  readonly port: number;
  /** The 4 or 16 bytes of the address, where a caller has them or keeps them. */
  bytes?: Uint8Array | undefined;
}

const addressWords = socketAddressBytes / 4;
/** Those that hold something. */
const ipv4Words = 2;
const ipv6Words = 7;

/** Socket addresses in native memory, one after the other; entry 0 if there is only one. */
export class SocketAddresses {
  readonly #memory: NativeMemory;
  readonly #lengths: NativeMemory;
  /** The same memory, for comparing and copying without an object for each address. */
  readonly #words: Int32Array;

  constructor(count = 1) {
    this.#memory = new NativeMemory(count * socketAddressBytes);
    const { buffer, byteOffset } = this.#memory.bytes;
    this.#words = new Int32Array(buffer, byteOffset, count * addressWords);
    this.#lengths = new NativeMemory(count * 4);
  }

  address(entry = 0): number {
    return this.#memory.address + entry * socketAddressBytes;
  }

  /** The place of the length that a call reads as room and overwrites with the length of the address. */
  lengthAddress(entry = 0): number {
    this.#lengths.view.setUint32(entry * 4, socketAddressBytes, true);
    return this.#lengths.address + entry * 4;
  }

  family(entry = 0): "IPv4" | "IPv6" | "other" {
    const family = this.#memory.view.getUint16(entry * socketAddressBytes, true);
    if (family === families.ipv4) return "IPv4";
    return family === families.ipv6 ? "IPv6" : "other";
  }

  port(entry = 0): number {
    return this.#memory.view.getUint16(entry * socketAddressBytes + 2);
  }

  /**
   * Copies the 4 or 16 bytes of the IP address.
   *
   * @returns their number; 0 for another kind of address
   */
  copyIp(target: Uint8Array, entry = 0): number {
    const { bytes } = this.#memory;
    const family = this.family(entry);
    const start = entry * socketAddressBytes + (family === "IPv4" ? 4 : 8);
    const length = family === "IPv4" ? 4 : family === "IPv6" ? 16 : 0;
    for (let index = 0; index < length; index += 1) target[index] = bytes[start + index] ?? 0;
    return length;
  }

  /** IPv4 addresses of IPv6 sockets (`::ffff:192.0.2.1`) come as IPv4. */
  read(entry = 0): InternetAddress {
    if (this.family(entry) === "IPv4") {
      // Every accepted connection comes by, and nearly all are of this family.
      return { ip: this.#ipv4Text(entry * socketAddressBytes + 4), port: this.port(entry) };
    }
    const ip = new Uint8Array(16);
    const length = this.copyIp(ip, entry);
    return { ip: ipText(ip.subarray(0, length)), port: this.port(entry) };
  }

  /** @returns the length of the address in bytes */
  write({ ip, port, bytes: given }: InternetAddress, entry = 0): number {
    const { view, bytes } = this.#memory;
    const start = entry * socketAddressBytes;
    for (let word = 0; word < addressWords; word += 1) this.#words[entry * addressWords + word] = 0;
    const parsed = given ?? ipBytes(ip);
    const isIpv4 = parsed.length === 4;
    view.setUint16(start, isIpv4 ? families.ipv4 : families.ipv6, true);
    view.setUint16(start + 2, port);
    bytes.set(parsed, start + (isIpv4 ? 4 : 8));
    return isIpv4 ? ipv4Bytes : ipv6Bytes;
  }

  /** Copies an address of other addresses here. */
  copyFrom(source: SocketAddresses, from: number, to = 0): void {
    const read = from * addressWords;
    const write = to * addressWords;
    for (let word = source.#usedWords(from) - 1; word >= 0; word -= 1) {
      this.#words[write + word] = source.#words[read + word] ?? 0;
    }
  }

  /** Whether IP address, port and zone are those of an address of other addresses. */
  isSame(entry: number, other: SocketAddresses, otherEntry: number): boolean {
    const own = entry * addressWords;
    const theirs = otherEntry * addressWords;
    for (let word = this.#usedWords(entry) - 1; word >= 0; word -= 1) {
      if (this.#words[own + word] !== other.#words[theirs + word]) return false;
    }
    return true;
  }

  /**
   * A hash of all that `isSame` compares.
   *
   * @param seed a random number of the process, so that hashes cannot be computed elsewhere
   * @returns an integer of 32 bits, which may be negative
   */
  hash(entry: number, seed: number): number {
    const start = entry * addressWords;
    let hash = seed;
    for (let word = this.#usedWords(entry) - 1; word >= 0; word -= 1) {
      hash = Math.imul(hash ^ (this.#words[start + word] ?? 0), 0x9e_37_79_b1);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  #ipv4Text(at: number): string {
    const { bytes } = this.#memory;
    return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
  }

  /** Words that hold an address; the kernel leaves the rest of an entry as it was. */
  #usedWords(entry: number): number {
    const family = (this.#words[entry * addressWords] ?? 0) & 0xff_ff;
    return family === families.ipv4 ? ipv4Words : ipv6Words;
  }

  /** Nothing may use the addresses afterwards. */
  free(): void {
    this.#memory.free();
    this.#lengths.free();
  }

  /** Bytes of the address as calls that send to it want them. */
  sizeOf(entry = 0): number {
    return this.#usedWords(entry) === ipv4Words ? ipv4Bytes : ipv6Bytes;
  }
}

/** @throws RangeError for text that is no IP address */
function ipBytes(ip: string): Uint8Array {
  if (!ip.includes(":")) {
    const parts = ip.split(".").map(Number);
    if (
      parts.length !== 4 ||
      parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255)
    ) {
      throw new RangeError(`${ip} is no IP address`);
    }
    return Uint8Array.from(parts);
  }
  const [head = "", tail, ...rest] = ip.split("::");
  const groups = (text: string): number[] =>
    text === ""
      ? []
      : text.split(":").flatMap((group) => {
          if (!group.includes(".")) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = ipBytes(group);
          return [a * 256 + b, c * 256 + d];
        });
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: Math.max(0, missing) }, () => 0), ...after];
  if (
    rest.length > 0 ||
    all.length !== 8 ||
    all.some((group) => !(group >= 0 && group <= 0xff_ff))
  ) {
    throw new RangeError(`${ip} is no IP address`);
  }
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 255]));
}

function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return "";
  const isMapped =
    bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) return bytes.subarray(12).join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  return compressed(groups);
}

/** The longest run of two or more zero groups as `::` (RFC 5952). */
function compressed(groups: readonly string[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === "0") length += 1;
    if (length > best.length) best = { start, length };
  }
  if (best.start === -1) return groups.join(":");
  const before = groups.slice(0, best.start).join(":");
  return `${before}::${groups.slice(best.start + best.length).join(":")}`;
}
