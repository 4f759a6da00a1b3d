import { FieldReader } from "./fields.ts";
import { readFrame } from "./frame.ts";
import { encodeHandshake, handshakeFrameBytesMax, intents } from "./handshake.ts";
import { forgeMarkerOf } from "./host.ts";

/**
 * The part of a client's bytes that a backend gets: in the handshake's address, nothing from the first
 * control character or `///` on but the marker of a mod loader. Behind a NUL BungeeCord writes the address
 * and the account of a player, and behind `///` other proxies write the address; a backend that is set up
 * for one of them believes it even if a client has written it.
 *
 * @param sent bytes from the client's first one on; the handshake in them was decoded before
 * @param handshakeEnd offset of the byte behind the handshake
 * @returns `sent` itself if nothing is to be removed
 */
export function withForwardedHost(sent: Buffer, handshakeEnd: number): Buffer {
  const frame = readFrame(sent, 0, handshakeFrameBytesMax);
  if (frame.kind !== "packet" || frame.bodyEnd !== handshakeEnd) return sent;
  const fields = new FieldReader(sent, frame.bodyStart, frame.bodyEnd);
  const protocol = fields.varInt();
  const address = fields.string(handshakeFrameBytesMax);
  const port = fields.unsignedShort();
  const intent = intents[fields.varInt()];
  const host = forwardedHost(address);
  if (host === address || intent === undefined || !fields.complete) return sent;
  const handshake = encodeHandshake({ protocol, host, port, intent });
  return Buffer.concat([handshake, sent.subarray(handshakeEnd)]);
}

const suffixStart = /\p{Cc}|\/\/\//u;

function forwardedHost(address: string): string {
  const cut = address.search(suffixStart);
  return cut < 0 ? address : address.slice(0, cut) + forgeMarkerOf(address.slice(cut));
}
