import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import {
  type Challenge,
  challengeOfCode,
  codeOfChallenge,
} from "@palisade/login-rules/shared/verified-players";
import {
  full,
  SharedHashTable,
  type TableLayout,
  refuseWhenFull,
  timeLeft,
} from "@palisade/shared-tables/shared-hash-table";
import {
  cookieResponseFrameBytesMax,
  decodeCookieResponse,
  encodeLoginCookieRequest,
  loginCookieResponsePacketId,
} from "@palisade/minecraft-protocol/java/cookies";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";

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
  head[1] = codeOfChallenge(challenge);
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
  const challenge = challengeOfCode(body.readUInt8(1));
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

/** Two cache lines: if all slots hold living cookies, another one does not count as fresh. */
const layout: TableLayout = { reach: 16 };
const secondMs = 1_000;

/**
 * Which cookies were used up, shared by all workers of an edge. The first half of a cookie's id is
 * its tag, the state is the second in which it expires. A living cookie is never forgotten.
 */
export class UsedCookies {
  readonly #table: SharedHashTable;
  readonly #key = { high: 0, low: 0 };
  /** Splits an id into its halves. */
  readonly #id = new BigUint64Array(1);
  readonly #halves = new Int32Array(this.#id.buffer);

  /** @param slots a power of two; about as many cookies as can be alive at once, four times over */
  static allocate(slots: number): SharedArrayBuffer {
    return SharedHashTable.allocate(slots, layout);
  }

  constructor(buffer: SharedArrayBuffer) {
    this.#table = new SharedHashTable(buffer, layout, refuseWhenFull(timeLeft()));
  }

  /**
   * True for at most one caller, on any thread, while the cookie lives. If two calls come at the
   * same moment, both may get false: the player is then verified again.
   *
   * @param id of `checkTransferCookie`
   */
  use(id: bigint, expiresAtMs: number, nowMs: number): boolean {
    const now = Math.floor(nowMs / secondMs);
    const slot = this.#take(id, Math.ceil(expiresAtMs / secondMs) | 0, now);
    // Threads whose clocks differ may have taken different slots.
    return slot >= 0 && !this.#table.hasAnother(slot, this.#key, now);
  }

  /** The cookie's slot; negative if it is used up, or there is no room. */
  #take(id: bigint, until: number, now: number): number {
    this.#id[0] = id;
    this.#key.high = this.#halves[1] ?? 0;
    this.#key.low = this.#halves[0] ?? 0;
    for (;;) {
      const slot = this.#table.find(this.#key);
      if (slot < 0) {
        const taken = this.#table.insert(this.#key, until, now);
        if (taken >= 0 || taken === full) return taken;
        continue;
      }
      const state = this.#table.read(slot, this.#key);
      if (state === undefined) continue;
      if (this.#table.worthOf(state, now, slot) > 0) return full;
      if (this.#table.replace(slot, state, until)) return slot;
    }
  }
}

/** The request for the cookie, sent to a transferred player before the verdict. */
export const cookieRequest: Buffer = encodeLoginCookieRequest(transferCookieKey);

export type CookieAnswer =
  | { readonly kind: "need-more" }
  | { readonly kind: "malformed" }
  /** `cookie` is a view; undefined if the player has none. `end`: where the next packet begins. */
  | { readonly kind: "answered"; readonly cookie: Buffer | undefined; readonly end: number };

const malformed: CookieAnswer = { kind: "malformed" };

export function readCookieAnswer(bytes: Buffer, offset: number): CookieAnswer {
  const frame = readFrame(bytes, offset, cookieResponseFrameBytesMax);
  if (frame.kind !== "packet") return { kind: frame.kind };
  if (frame.id !== loginCookieResponsePacketId) return malformed;
  const response = decodeCookieResponse(bytes, frame.bodyStart, frame.bodyEnd);
  if (!response.ok || response.key !== transferCookieKey) return malformed;
  return { kind: "answered", cookie: response.cookie, end: frame.bodyEnd };
}

const intentTransfer = 3;
const intentLogin = 2;

/**
 * The bytes of the player, with intent `login` in place of `transfer`: the backend need not accept
 * transfers and does not know of the edge's own. The intent is the handshake's last byte. One that
 * is written in more bytes than needed, as no game does, stays as it was.
 */
export function asLogin(sent: Buffer, handshakeEnd: number): Buffer {
  const copy = Buffer.from(sent);
  if (copy[handshakeEnd - 1] === intentTransfer) copy[handshakeEnd - 1] = intentLogin;
  return copy;
}
