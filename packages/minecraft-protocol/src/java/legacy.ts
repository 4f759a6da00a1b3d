import { forwardedHost, normaliseHost, splitHost } from "./host.ts";

/**
 * Clients before 1.7. Server list ping: `FE` (to 1.3), `FE 01` (1.4, 1.5) and
 * `FE 01 FA` with a plugin message MC|PingHost (1.6). Server lists and monitors also send a
 * bare `FE 01 FA`. Login: `02`, u8 protocol, name, host, i32 port (1.3 to 1.6). The answer to
 * each is `FF` and a string. Strings are a u16 count of UTF-16 units and UTF-16BE text. Source:
 * minecraft.wiki, "Java Edition protocol/Server List Ping", and for the login wiki.vg, "Protocol",
 * of versions 61 and 78.
 */

export type LegacyKind = "ping-1.3" | "ping-1.4" | "ping-1.6" | "login";

export type LegacyResult =
  | { readonly kind: "modern" }
  | { readonly kind: LegacyKind }
  /** The bytes may go on; when no more come within a short pause, the client is `otherwise`. */
  | { readonly kind: "undecided"; readonly otherwise: LegacyKind };

const modern: LegacyResult = { kind: "modern" };

/**
 * Recognises a legacy client by its first bytes. `FE 01` also begins a modern frame
 * of 254 bytes, whose next byte is the handshake's id 00; a frame of 2 bytes is
 * too short for a handshake, so `02` is a legacy login.
 *
 * @param bytes at least one byte
 */
export function detectLegacy(bytes: Uint8Array): LegacyResult {
  if (bytes[0] === 0x02) return { kind: "login" };
  if (bytes[0] !== 0xfe) return modern;
  if (bytes.length === 1) return { kind: "undecided", otherwise: "ping-1.3" };
  if (bytes[1] !== 0x01) return modern;
  if (bytes.length === 2) return { kind: "undecided", otherwise: "ping-1.4" };
  if (bytes[2] !== 0xfa) return modern;
  return bytes.length === 3 ? { kind: "undecided", otherwise: "ping-1.6" } : { kind: "ping-1.6" };
}

/** The fields of a client that names its host. */
export interface LegacyHello {
  readonly protocol: number;
  /** Without suffix, normalised; "" when it is not a host name. */
  readonly host: string;
  /** The suffix that mods and proxies appended to the host, with its separator. */
  readonly suffix: string;
  /** The player's name in a login; "" in a ping. */
  readonly name: string;
  readonly nameValid: boolean;
}

export type LegacyHelloResult =
  | { readonly kind: "hello"; readonly hello: LegacyHello }
  | { readonly kind: "need-more" }
  | { readonly kind: "malformed" };

const channel = "MC|PingHost";
/** UTF-16 units of a host and the suffix that proxies append to it, as in a modern handshake. */
const hostUnitsMax = 1_024;
/** Up to here a name longer than 16 is read and marked invalid; beyond, the packet is malformed. */
const nameUnitsMax = 64;
const nameCharactersMax = 16;
const validName = /^[a-zA-Z0-9_]{1,16}$/;

/**
 * Reads the ping of 1.6 or the login of 1.3 to 1.6 from what has come in so far. A length
 * above its cap is malformed as soon as it is known. Bytes behind the packet are ignored.
 *
 * @param bytes for which `detectLegacy` gives `kind`, or an undecided result that ends in `kind`
 */
export function readLegacyHello(bytes: Buffer, kind: "ping-1.6" | "login"): LegacyHelloResult {
  const fields = new LegacyFields(bytes, kind === "login" ? 1 : 3);
  let name = "";
  let restBytes: number | undefined;
  if (kind === "ping-1.6") {
    if (fields.string(channel.length) !== channel) fields.refuse();
    restBytes = fields.unsigned(2);
  }
  const protocol = fields.unsigned(1);
  if (kind === "login") name = fields.string(nameUnitsMax);
  const before = fields.offset;
  const address = fields.string(hostUnitsMax);
  // The u8 before the host and the i32 behind it belong to the announced rest.
  const isExact = restBytes === undefined || restBytes === 1 + (fields.offset - before) + 4;
  fields.unsigned(4);
  if (fields.fault !== undefined) return { kind: fields.fault };
  if (!isExact) return { kind: "malformed" };
  const { host, suffix } = splitHost(address);
  return {
    kind: "hello",
    hello: {
      protocol,
      host: normaliseHost(host),
      suffix,
      name: name.slice(0, nameCharactersMax),
      nameValid: validName.test(name),
    },
  };
}

/**
 * The bytes of a login as a backend gets them: the address is that of `forwardedHost`.
 *
 * @param sent bytes from the client's first one on; the login in them was read before
 * @returns `sent` itself if nothing is to be removed
 */
export function withForwardedLegacyHost(sent: Buffer): Buffer {
  const fields = new LegacyFields(sent, 1);
  fields.unsigned(1);
  fields.string(nameUnitsMax);
  const start = fields.offset;
  const address = fields.string(hostUnitsMax);
  const host = forwardedHost(address);
  if (fields.fault !== undefined || host === address) return sent;
  return Buffer.concat([
    sent.subarray(0, start),
    encodeLegacyString(host),
    sent.subarray(fields.offset),
  ]);
}

function encodeLegacyString(text: string): Buffer {
  const field = Buffer.allocUnsafe(2 + 2 * text.length);
  field.writeUInt16BE(text.length, 0);
  for (let index = 0; index < text.length; index++) {
    field.writeUInt16BE(text.charCodeAt(index), 2 + 2 * index);
  }
  return field;
}

/** A cursor; `fault` is the fault of the first field that is missing or not allowed. */
class LegacyFields {
  readonly #bytes: Buffer;
  offset: number;
  fault: "need-more" | "malformed" | undefined;

  constructor(bytes: Buffer, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  /** Marks a field that was read completely as wrong. */
  refuse(): void {
    this.fault ??= "malformed";
  }

  unsigned(size: 1 | 2 | 4): number {
    const at = this.#take(size);
    return at < 0 ? 0 : this.#bytes.readUIntBE(at, size);
  }

  string(unitsMax: number): string {
    const units = this.unsigned(2);
    if (units > unitsMax) this.refuse();
    const at = this.#take(2 * units);
    if (at < 0) return "";
    // A copy, because swap16 works in place.
    const text = Buffer.from(this.#bytes.subarray(at, at + 2 * units));
    return text.swap16().toString("utf16le");
  }

  #take(size: number): number {
    if (this.fault !== undefined) return -1;
    if (this.offset + size > this.#bytes.length) {
      this.fault = "need-more";
      return -1;
    }
    const at = this.offset;
    this.offset += size;
    return at;
  }
}

/** UTF-16 units that a client accepts in a kick or ping answer. */
const textUnitsMax = 255;

/** `FF` with a text: the kick of a legacy client, and the frame of its ping answer. */
export function encodeLegacyKick(text: string): Buffer {
  return Buffer.concat([Buffer.of(0xff), encodeLegacyString(cutText(text, textUnitsMax))]);
}

/** At most `unitsMax` UTF-16 units, with no half of a code or of a surrogate pair at the end. */
function cutText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  let end = unitsMax;
  const last = text.charCodeAt(end - 1);
  if (last === 0xa7 || (last >= 0xd800 && last < 0xdc00)) end--;
  return text.slice(0, end);
}

export interface LegacyStatus {
  /** A client with this protocol number can join; any other shows `version`. */
  readonly protocol?: number;
  readonly version: string;
  /** One line, § codes included; cut where it is too long for a client. */
  readonly motd: string;
  readonly online: number;
  readonly max: number;
}

/** No legacy client has this number, so each shows `version`. */
const unreachableProtocol = 127;
const versionUnitsMax = 64;

/** The ping answer for clients of 1.4 to 1.6, or for older ones, where § separates the fields. */
export function encodeLegacyStatus(kind: LegacyKind, status: LegacyStatus): Buffer {
  const counts = [String(status.online), String(status.max)];
  const isOldest = kind === "ping-1.3";
  const separator = isOldest ? "§" : "\0";
  const version = cutText(withoutNul(status.version), versionUnitsMax);
  const head = ["§1", String(status.protocol ?? unreachableProtocol), version];
  const around = isOldest ? counts : [...head, ...counts];
  const taken = around.reduce((sum, field) => sum + 1 + field.length, 0);
  const text = isOldest ? status.motd.replaceAll("§", "") : withoutNul(status.motd);
  const motd = cutText(text, textUnitsMax - taken);
  return encodeLegacyKick([...(isOldest ? [] : head), motd, ...counts].join(separator));
}

function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}
