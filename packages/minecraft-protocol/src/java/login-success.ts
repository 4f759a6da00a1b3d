import { encodeFrame, encodeString } from "./fields.ts";
import { formatUuid } from "./uuid.ts";
import { varIntLength, writeVarInt } from "./varint.ts";
import { atLeast } from "./versions.ts";

/**
 * The end of the login state.
 *
 * Login Success (clientbound 2): UUID, name, the account's properties, and fields of single versions.
 * From 1.20.2 on the client answers with Login Acknowledged (serverbound 3, no fields) and is in the
 * configuration state; before, it is in play with the packet itself. Source: minecraft.wiki, "Java
 * Edition protocol/Packets", Login, and its history; the session of 26.2 from the public proxies
 * that serve it (BungeeCord, LoginSuccess).
 *
 * For a verification: `encodeLoginSuccess`, then wait for `loginAcknowledgedPacketId` with an empty
 * body where `acknowledgesLogin(protocol)`.
 */

const successPacketId = 2;
export const loginAcknowledgedPacketId = 3;

/** Whether the client acknowledges a Login Success and goes on to the configuration state. */
export function acknowledgesLogin(protocol: number): boolean {
  return atLeast(protocol, "1.20.2");
}

export interface LoginProfile {
  /** 16 bytes; of the account, or `unprovenUuid` (uuid.ts). */
  readonly uuid: Buffer;
  readonly name: string;
}

/** Without properties, because no other player sees the skin of a player in verification. */
export function encodeLoginSuccess(protocol: number, { uuid, name }: LoginProfile): Buffer {
  const before = uuidField(protocol, uuid);
  const after = fieldsBehindName(protocol, uuid);
  const nameBytes = Buffer.byteLength(name);
  const length = 1 + before.length + varIntLength(nameBytes) + nameBytes + after.length;
  // One buffer, because every unknown player gets it.
  const frame = Buffer.allocUnsafe(varIntLength(length) + length);
  let at = writeVarInt(frame, 0, length);
  frame[at++] = successPacketId;
  frame.set(before, at);
  at = writeVarInt(frame, at + before.length, nameBytes);
  at += frame.write(name, at);
  frame.set(after, at);
  return frame;
}

const nothing = new Uint8Array(0);
/** The number of properties. */
const noProperties = Uint8Array.of(0);
/** Also that the client does not disconnect on packets that it cannot read; only in these versions. */
const noPropertiesNotStrict = Uint8Array.of(0, 0);

function fieldsBehindName(protocol: number, uuid: Buffer): Uint8Array {
  if (!atLeast(protocol, "1.19")) return nothing;
  if (atLeast(protocol, "1.20.5") && !atLeast(protocol, "1.21.2")) return noPropertiesNotStrict;
  // Session id for the game's own logs; the player's UUID serves for it.
  return atLeast(protocol, "26.2") ? Buffer.concat([noProperties, uuid]) : noProperties;
}

function uuidField(protocol: number, uuid: Buffer): Buffer {
  if (atLeast(protocol, "1.16")) return uuid;
  return encodeString(atLeast(protocol, "1.7.6") ? formatUuid(uuid) : uuid.toString("hex"));
}

/** As a client sends it, for tests and probes. */
export const loginAcknowledged: Uint8Array = encodeFrame(loginAcknowledgedPacketId);
