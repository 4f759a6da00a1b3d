import { encodeFrame, encodeString, FieldReader } from "./fields.ts";
import { type ProfileKey, profileKeyOf } from "./profile-key.ts";
import { varIntLength, writeVarInt } from "./varint.ts";
import { atLeast, isKnown } from "./versions.ts";

/**
 * Login state. Login Start (serverbound 0) begins with the player's name; what
 * follows depends on the version. Disconnect (clientbound 0) carries a text
 * component as JSON in every version. Source: minecraft.wiki, "Java Edition
 * protocol/Packets", Login, and its history for 759 to 764.
 */

export const loginStartPacketId = 0;
const disconnectPacketId = 0;

const publicKeyBytesMax = 512;
const signatureBytesMax = 4096;
const nameCharactersMax = 16;
/** 16 characters of up to 4 bytes. Up to here a name that is too long is read and marked invalid. */
const nameBytesMax = 64;

export const loginStartFrameBytesMax =
  1 + 3 + nameBytesMax + 1 + 8 + 3 + publicKeyBytesMax + 3 + signatureBytesMax + 1 + 16;

export type LoginStartResult =
  | {
      readonly ok: true;
      readonly name: string;
      readonly nameValid: boolean;
      /** The key for signing chat: 1.19 to 1.19.2 send it here, later versions after encryption. */
      readonly profileKey: ProfileKey | undefined;
    }
  | { readonly ok: false; readonly reason: "login-start-malformed" };

const malformed: LoginStartResult = { ok: false, reason: "login-start-malformed" };
const validName = /^[a-zA-Z0-9_]{1,16}$/;

/**
 * Decodes the fields between `start` and `end`. For a known version they must
 * fit exactly; of an unknown one (snapshots, versions after this table) only the
 * name is read.
 */
export function decodeLoginStart(
  bytes: Buffer,
  start: number,
  end: number,
  protocol: number,
): LoginStartResult {
  const fields = new FieldReader(bytes, start, end);
  const name = fields.string(nameBytesMax);
  if (fields.failed) return malformed;
  let profileKey: ProfileKey | undefined;
  if (isKnown(protocol)) {
    profileKey = readVersionFields(fields, protocol);
    if (!fields.complete) return malformed;
  }
  const nameValid = validName.test(name);
  return { ok: true, name: name.slice(0, nameCharactersMax), nameValid, profileKey };
}

/** Reads the fields behind the name. @returns the profile key, if there is one */
function readVersionFields(fields: FieldReader, protocol: number): ProfileKey | undefined {
  if (atLeast(protocol, "1.20.2")) {
    fields.skip(16);
    return undefined;
  }
  if (!atLeast(protocol, "1.19")) return undefined;
  const hasKey = showsProfileKey(protocol) && fields.boolean();
  const profileKey = hasKey ? readProfileKey(fields) : undefined;
  if (atLeast(protocol, "1.19.1") && fields.boolean()) fields.skip(16);
  return profileKey;
}

function readProfileKey(fields: FieldReader): ProfileKey {
  const expiresAt = fields.long();
  const key = fields.byteArray(publicKeyBytesMax);
  return profileKeyOf(expiresAt, key, fields.byteArray(signatureBytesMax));
}

/** Whether clients of this version send their profile key with Login Start. */
export function showsProfileKey(protocol: number): boolean {
  return atLeast(protocol, "1.19") && !atLeast(protocol, "1.19.3");
}

/** Login Start as clients before 1.19 and from 1.20.2 on send it, for tests and probes. */
export function encodeLoginStart(name: string, uuid?: Uint8Array): Buffer {
  return encodeFrame(loginStartPacketId, encodeString(name), uuid ?? new Uint8Array(0));
}

/** @param component a text component as JSON (chat.ts) */
export function encodeLoginDisconnect(component: string): Buffer {
  const jsonBytes = Buffer.byteLength(component);
  const packet = openLoginDisconnect(jsonBytes);
  packet.write(component, packet.length - jsonBytes);
  return packet;
}

/**
 * A disconnect without its component. The last `jsonBytes` bytes are uninitialised memory, and the
 * caller must fill in all of them.
 */
export function openLoginDisconnect(jsonBytes: number): Buffer {
  const length = varIntLength(disconnectPacketId) + varIntLength(jsonBytes) + jsonBytes;
  const packet = Buffer.allocUnsafe(varIntLength(length) + length);
  let at = writeVarInt(packet, 0, length);
  at = writeVarInt(packet, at, disconnectPacketId);
  writeVarInt(packet, at, jsonBytes);
  return packet;
}
