import {
  cookieResponseFrameBytesMax,
  decodeCookieResponse,
  encodeLoginCookieRequest,
  loginCookieResponsePacketId,
} from "@palisade/minecraft-protocol/java/cookies";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { transferCookieKey } from "./transfer-cookie.ts";

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
