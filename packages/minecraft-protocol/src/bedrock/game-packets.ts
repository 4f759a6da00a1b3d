import { encodeString, encodeVarInt } from "../java/fields.ts";
import { readVarInt } from "../java/varint.ts";
import type { PacketStart } from "./game-batch.ts";
import { filteredMessageFirst, reasonFirst } from "./game-versions.ts";

/**
 * The game's packets that come before a player is let in. Source: minecraft.wiki, "Bedrock Edition
 * protocol", and the protocol tables of minecraft-data.
 */
export const gameIds = {
  login: 0x01,
  disconnect: 0x05,
  networkSettings: 0x8f,
  requestNetworkSettings: 0xc1,
} as const;

/** @returns the client's protocol version, or undefined where the packet is another one */
export function readSettingsRequest({ id, fields, isCut }: PacketStart): number | undefined {
  if (id !== gameIds.requestNetworkSettings || fields.length !== 4 || isCut) return undefined;
  return fields.readInt32BE(0);
}

export function encodeSettingsRequest(protocol: number): Buffer {
  const packet = encodeVarInt(gameIds.requestNetworkSettings);
  const fields = Buffer.alloc(4);
  fields.writeInt32BE(protocol);
  return Buffer.concat([packet, fields]);
}

/**
 * The answer to a client's first packet: deflate for batches above a length, no throttling.
 *
 * @param threshold bytes from which the client compresses
 */
export function encodeNetworkSettings(threshold: number): Buffer {
  const fields = Buffer.alloc(2 + 2 + 1 + 1 + 4);
  fields.writeUInt16LE(threshold);
  return Buffer.concat([encodeVarInt(gameIds.networkSettings), fields]);
}

/**
 * Ends the connection with a text on the player's screen.
 *
 * @param protocol undefined: a client from before 1.19.30
 */
export function encodeKick(message: string, protocol: number | undefined): Buffer {
  const version = protocol ?? 0;
  const shownScreen = Buffer.of(0);
  return Buffer.concat([
    encodeVarInt(gameIds.disconnect),
    // The reason is for statistics of the game; 0 is an unknown one.
    ...(version >= reasonFirst ? [encodeVarInt(0)] : []),
    shownScreen,
    encodeString(message),
    // An empty second text means that the first one needs no filter.
    ...(version >= filteredMessageFirst ? [encodeString("")] : []),
  ]);
}

/** A login as the game sends it: texts of JSON and JWT that nothing has checked. */
export interface LoginPacket {
  readonly protocol: number;
  /** JSON with the player's chain of certificates. */
  readonly identity: string;
}

/** More than any real chain; what follows it in the packet, such as the skin, is not read. */
export const identityBytesMax = 32_768;

/** @returns undefined where the packet is no login; "cut" where its identity has not arrived as a whole */
export function readLogin(packet: PacketStart): LoginPacket | "cut" | undefined {
  const place = placeOfIdentity(packet);
  if (typeof place !== "object") return place;
  const { fields, isCut } = packet;
  const { start, length } = place;
  if (length > identityBytesMax) return undefined;
  if (fields.length < start + length) return isCut ? "cut" : undefined;
  return {
    protocol: fields.readInt32BE(0),
    identity: fields.toString("utf8", start, start + length),
  };
}

/** @returns the length that a login announces for its identity, whatever it is; 0 where it announces none */
export function announcedIdentityBytes(packet: PacketStart): number {
  const place = placeOfIdentity(packet);
  return typeof place === "object" ? place.length : 0;
}

function placeOfIdentity({ id, fields, isCut }: PacketStart) {
  if (id !== gameIds.login) return undefined;
  const missing = isCut ? ("cut" as const) : undefined;
  if (fields.length < 4) return missing;
  const tokensLength = readVarInt(fields, 4, fields.length);
  if (tokensLength.kind === "need-more") return missing;
  if (tokensLength.kind !== "value") return undefined;
  const start = tokensLength.next + 4;
  if (fields.length < start) return missing;
  const length = fields.readUInt32LE(start - 4);
  return length + 4 > tokensLength.value ? undefined : { start, length };
}

/** @param clientData JWT with the player's skin and settings */
export function encodeLogin({ protocol, identity }: LoginPacket, clientData: string): Buffer {
  const head = Buffer.alloc(4);
  head.writeInt32BE(protocol);
  const tokens = [identity, clientData].map((text) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  });
  const length = tokens.reduce((sum, token) => sum + token.length, 0);
  return Buffer.concat([encodeVarInt(gameIds.login), head, encodeVarInt(length), ...tokens]);
}
