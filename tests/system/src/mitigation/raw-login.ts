import { connect } from "node:net";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { FieldReader } from "@palisade/minecraft-protocol/java/fields";
import type { HostPort } from "../product/palisade.ts";

const frameBytesMax = 512 * 1024;
const disconnectId = 0;

/**
 * Sends what no client of the tests can be made to send, and reads what comes first.
 *
 * @returns the component of a disconnect; `admitted` where a server answers with anything else,
 *   `closed` where nobody does
 */
export function rawLogin(edge: HostPort, from: string, hello: Uint8Array): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...edge, localAddress: from });
    let bytes = Buffer.alloc(0);
    socket.on("connect", () => socket.write(hello));
    socket.on("error", reject);
    socket.on("close", () => resolve("closed"));
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const frame = readFrame(bytes, 0, frameBytesMax);
      if (frame.kind !== "packet") return;
      const text = new FieldReader(bytes, frame.bodyStart, frame.bodyEnd).string(frameBytesMax);
      resolve(frame.id === disconnectId ? JSON.parse(text) : "admitted");
      socket.destroy();
    });
  });
}
