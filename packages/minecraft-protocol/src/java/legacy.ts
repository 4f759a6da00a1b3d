/**
 * Clients before 1.7. Server list ping: `FE` (to 1.3), `FE 01` (1.4, 1.5) and
 * `FE 01 FA ...` with a plugin message MC|PingHost (1.6). Login: `02`, u8
 * protocol, name, host, i32 port. Answer to both: `FF`, u16 count of UTF-16
 * units, UTF-16BE text. Source: minecraft.wiki, "Java Edition protocol/Server
 * List Ping", and for the login "Protocol version 78".
 */

export type LegacyKind = "ping-1.3" | "ping-1.4" | "ping-1.6" | "login";

export type LegacyResult =
  | { readonly kind: "modern" }
  | { readonly kind: LegacyKind }
  /** May be either; after a short while without more bytes it is `otherwise`. */
  | { readonly kind: "undecided"; readonly otherwise: LegacyKind };

const modern: LegacyResult = { kind: "modern" };

/**
 * Tells a legacy client by its first bytes. `FE 01` also begins a modern frame
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
  return bytes[2] === 0xfa ? { kind: "ping-1.6" } : modern;
}

/** Characters a client takes in a kick or ping answer. */
const textUnitsMax = 255;

/** `FF` with a text: the kick of a legacy client, and the frame of its ping answer. */
export function encodeLegacyKick(text: string): Buffer {
  const cut = text.slice(0, textUnitsMax);
  const packet = Buffer.allocUnsafe(3 + 2 * cut.length);
  packet.writeUInt8(0xff, 0);
  packet.writeUInt16BE(cut.length, 1);
  for (let index = 0; index < cut.length; index++) {
    packet.writeUInt16BE(cut.charCodeAt(index), 3 + 2 * index);
  }
  return packet;
}

export interface LegacyStatus {
  readonly version: string;
  /** One line. */
  readonly motd: string;
  readonly online: number;
  readonly max: number;
}

/** Protocol number given to legacy clients; none of them has it, so they show `version`. */
const unreachableProtocol = 127;

/** The ping answer for clients of 1.4 to 1.6, or up to 1.3 where § separates the fields. */
export function encodeLegacyStatus(kind: LegacyKind, status: LegacyStatus): Buffer {
  const counts = [String(status.online), String(status.max)];
  if (kind === "ping-1.3") {
    return encodeLegacyKick([status.motd.replaceAll("§", ""), ...counts].join("§"));
  }
  const head = ["§1", String(unreachableProtocol), status.version, status.motd];
  return encodeLegacyKick([...head, ...counts].join("\0"));
}
