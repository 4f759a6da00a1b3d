import { encodeByteArray, encodeFrame, encodeString, encodeVarInt, FieldReader } from "./fields.ts";
import { packetIds } from "./packet-ids.ts";
import { versionTable } from "./version-table.ts";
import { atLeast } from "./versions.ts";

/**
 * Cookies and transfers, from 1.20.5 on. Source: minecraft.wiki, "Java Edition protocol/Packets",
 * Login (Cookie Request, Cookie Response), Configuration and Play (Store Cookie, Transfer).
 *
 * A server can store up to 5 KiB under a name in a client and send the client to another address. The
 * client comes back with intent `transfer` (handshake.ts), and a server that requests the name gets the
 * bytes or nothing. In the login state, before Login Success, the answer is the client's next packet.
 *
 * For a verification: `encodeStoreCookie`, `encodeTransfer` (undefined when
 * the client supports neither: `canTransfer`); after the transfer `encodeLoginCookieRequest`, then
 * a packet of `loginCookieResponsePacketId` for `decodeCookieResponse`.
 */

const loginRequestPacketId = 5;
export const loginCookieResponsePacketId = 4;

export const cookieBytesMax = 5120;
const keyBytesMax = 256;

export const cookieResponseFrameBytesMax = 1 + 2 + keyBytesMax + 1 + 2 + cookieBytesMax;

// 26.3 inserted a packet before both.
const configurationIds = {
  storeCookie: versionTable([
    ["1.20.5", 0x0a],
    ["26.3", 0x0b],
  ]),
  transfer: versionTable([
    ["1.20.5", 0x0b],
    ["26.3", 0x0c],
  ]),
};

/** A state in which a client takes both packets. */
export type CookieState = "configuration" | "play";

function idsOf(state: CookieState): typeof configurationIds {
  return state === "play" ? packetIds.play.toClient : configurationIds;
}

/** Whether the client stores cookies and can be transferred. */
export function canTransfer(protocol: number): boolean {
  return atLeast(protocol, "1.20.5");
}

/** @param key an identifier: `namespace:path`, lower case */
export function encodeLoginCookieRequest(key: string): Buffer {
  return encodeFrame(loginRequestPacketId, encodeString(key));
}

/** @param cookie at most `cookieBytesMax` */
export function encodeStoreCookie(
  state: CookieState,
  protocol: number,
  key: string,
  cookie: Uint8Array,
): Buffer | undefined {
  const id = idsOf(state).storeCookie(protocol);
  return id === undefined ? undefined : encodeFrame(id, encodeString(key), encodeByteArray(cookie));
}

/** The client closes the connection and connects to the address. */
export function encodeTransfer(
  state: CookieState,
  protocol: number,
  host: string,
  port: number,
): Buffer | undefined {
  const id = idsOf(state).transfer(protocol);
  return id === undefined ? undefined : encodeFrame(id, encodeString(host), encodeVarInt(port));
}

/** `cookie` is a view of the bytes that were read; undefined when the client has none under the key. */
export type CookieResponseResult =
  | { readonly ok: true; readonly key: string; readonly cookie: Buffer | undefined }
  | { readonly ok: false; readonly reason: "cookie-response-malformed" };

export function decodeCookieResponse(
  bytes: Buffer,
  start: number,
  end: number,
): CookieResponseResult {
  const fields = new FieldReader(bytes, start, end);
  const key = fields.string(keyBytesMax);
  const cookie = fields.boolean() ? fields.byteArray(cookieBytesMax) : undefined;
  if (!fields.complete) return { ok: false, reason: "cookie-response-malformed" };
  return { ok: true, key, cookie };
}

/** The answer in the login state as a client gives it, for tests and probes. */
export function encodeLoginCookieResponse(key: string, cookie: Uint8Array | undefined): Buffer {
  const answer = cookie === undefined ? [Buffer.of(0)] : [Buffer.of(1), encodeByteArray(cookie)];
  return encodeFrame(loginCookieResponsePacketId, encodeString(key), ...answer);
}
