import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { type Challenge, challenges } from "#src/rules/shared/verified-players.ts";

/**
 * The cookie that a verified player brings back after a transfer, also to another edge of the shield:
 *
 *   version u8 | challenge u8 | nonce 8 | expiry u48, ms since 1970 | network u8 length, bytes |
 *   name u8 length, bytes | HMAC-SHA256 of all before it under the shield's key
 *
 * It proves name and network, not the connection: its holder can use it once on every edge,
 * from there and under that name, for as long as it lives.
 */

/** The client keeps cookies by this key. */
export const transferCookieKey = "palisade:verified";

const version = 1;
/** A transfer takes a few seconds; the minute is for slow machines that load a world between. */
export const cookieLifeMs = 60_000;
const nonceBytes = 8;
const macBytes = 32;
const nonceAt = 2;
const expiryAt = nonceAt + nonceBytes;
const networkAt = expiryAt + 6;
const nameBytesMax = 16;
/** Length of the edge's own cookies; longer ones are foreign. */
export const cookieBytesMax = networkAt + 1 + 8 + 1 + nameBytesMax + macBytes;

export interface CookieSubject {
  readonly name: string;
  readonly ip: IpBytes;
}

export function createTransferCookie(
  subject: CookieSubject,
  challenge: Challenge,
  key: Uint8Array,
  nowMs: number,
): Buffer {
  const head = Buffer.alloc(networkAt);
  head[0] = version;
  head[1] = challenges.indexOf(challenge);
  randomBytes(nonceBytes).copy(head, nonceAt);
  head.writeUIntBE(nowMs + cookieLifeMs, expiryAt, 6);
  const body = Buffer.concat([head, ownerOf(subject)]);
  return Buffer.concat([body, macOf(body, key)]);
}

export type CookieCheck =
  | {
      readonly kind: "valid";
      /** Different for every cookie, and not to be foreseen: what a used one is remembered by. */
      readonly id: bigint;
      readonly expiresAtMs: number;
      /** The challenge the player has passed at the edge that signed it. */
      readonly challenge: Challenge;
    }
  /** Not signed with this key, or for another player. */
  | { readonly kind: "foreign" }
  | { readonly kind: "expired" };

const foreign: CookieCheck = { kind: "foreign" };

/** Looks at nothing but the signature before that has proven to be right. */
export function checkTransferCookie(
  cookie: Uint8Array,
  subject: CookieSubject,
  key: Uint8Array,
  nowMs: number,
): CookieCheck {
  const bytes = Buffer.from(cookie.buffer, cookie.byteOffset, cookie.byteLength);
  const bodyEnd = bytes.length - macBytes;
  if (bodyEnd < networkAt || bytes.length > cookieBytesMax || bytes[0] !== version) return foreign;
  const body = bytes.subarray(0, bodyEnd);
  const mac = bytes.subarray(bodyEnd);
  if (!timingSafeEqual(mac, macOf(body, key))) return foreign;
  if (!body.subarray(networkAt).equals(ownerOf(subject))) return foreign;
  const expiresAtMs = body.readUIntBE(expiryAt, 6);
  if (expiresAtMs <= nowMs) return { kind: "expired" };
  const challenge = challenges[body.readUInt8(1)];
  if (challenge === undefined) return foreign;
  return { kind: "valid", id: mac.readBigUInt64BE(0), expiresAtMs, challenge };
}

function ownerOf({ name, ip }: CookieSubject): Buffer {
  // The neighbourhood a provider moves its customers about in: /24 and /64.
  const network = ip.subarray(0, ip.length === 4 ? 3 : 8);
  const nameBytes = Buffer.from(name.toLowerCase(), "latin1").subarray(0, nameBytesMax);
  return Buffer.concat([
    Buffer.of(network.length),
    network,
    Buffer.of(nameBytes.length),
    nameBytes,
  ]);
}

function macOf(body: Uint8Array, key: Uint8Array): Buffer {
  return createHmac("sha256", key).update("palisade transfer\0").update(body).digest();
}
