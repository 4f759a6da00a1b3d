import { encodeFrame, encodeString, encodeVarInt, FieldReader } from "./fields.ts";
import { normaliseHost, splitHost } from "./host.ts";

/**
 * Handshake (serverbound, id 0): VarInt protocol, String address, Unsigned
 * Short port, VarInt intent. Source: minecraft.wiki, "Java Edition
 * protocol/Packets", Handshaking.
 */

export const handshakePacketId = 0;

/** Large enough for an address of 255 characters and BungeeCord's suffix. */
export const handshakeFrameBytesMax = 4096;

const addressBytesMax = handshakeFrameBytesMax;

export type Intent = "status" | "login" | "transfer";

export interface Handshake {
  /** The number that the client sent; see versions.ts. */
  readonly protocol: number;
  /** Without suffix, normalised; "" when it is not a host name. */
  readonly host: string;
  /** The suffix that mods and proxies appended to the host, with its separator. */
  readonly suffix: string;
  readonly port: number;
  readonly intent: Intent;
}

export type HandshakeResult =
  | { readonly ok: true; readonly handshake: Handshake }
  | { readonly ok: false; readonly reason: "handshake-malformed" | "intent-unknown" };

/** By their numbers. */
export const intents: readonly (Intent | undefined)[] = [undefined, "status", "login", "transfer"];

/** Decodes the fields between `start` and `end`; remaining bytes are a fault. */
export function decodeHandshake(bytes: Buffer, start: number, end: number): HandshakeResult {
  const fields = new FieldReader(bytes, start, end);
  const protocol = fields.varInt();
  const address = fields.string(addressBytesMax);
  const port = fields.unsignedShort();
  const intent = intents[fields.varInt()];
  if (!fields.complete) return { ok: false, reason: "handshake-malformed" };
  if (intent === undefined) return { ok: false, reason: "intent-unknown" };
  const { host, suffix } = splitHost(address);
  return { ok: true, handshake: { protocol, host: normaliseHost(host), suffix, port, intent } };
}

/** A handshake as a client sends it. `host` is written as given. */
export function encodeHandshake(handshake: {
  readonly protocol: number;
  readonly host: string;
  readonly port: number;
  readonly intent: Intent;
}): Buffer {
  const port = Buffer.allocUnsafe(2);
  port.writeUInt16BE(handshake.port);
  return encodeFrame(
    handshakePacketId,
    encodeVarInt(handshake.protocol),
    encodeString(handshake.host),
    port,
    encodeVarInt(intents.indexOf(handshake.intent)),
  );
}
