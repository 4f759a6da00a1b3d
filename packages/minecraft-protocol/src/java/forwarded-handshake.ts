import { FieldReader } from "./fields.ts";
import { readFrame } from "./frame.ts";
import { encodeHandshake, handshakeFrameBytesMax, intents } from "./handshake.ts";
import { forwardedHost } from "./host.ts";

/**
 * The client's bytes as a backend gets them: the handshake's address is that of `forwardedHost`.
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
