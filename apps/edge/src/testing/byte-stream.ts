import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export const megabyte = 1024 * 1024;

/**
 * Sends bytes without short repetitions as fast as they are taken, ends, and gives their checksum.
 */
export async function sendAll(socket: Socket, bytes: number): Promise<string> {
  const hash = createHash("sha1");
  const template = Buffer.from(Array.from({ length: 64 * 1024 }, (_, n) => (n * 2_654_435) >> 7));
  for (let sent = 0; sent < bytes; sent += template.length) {
    const chunk = Buffer.from(template);
    chunk.writeDoubleBE(sent + Math.random(), (sent / template.length) % 60_000);
    hash.update(chunk);
    if (!socket.write(chunk)) await once(socket, "drain");
  }
  socket.end();
  return hash.digest("hex");
}

/**
 * Reads to the end, with a long stall first and a short one every megabyte.
 *
 * @param skip bytes at the start that are not in the checksum
 */
export async function readSlowly(socket: Socket, skip = 0): Promise<string> {
  const hash = createHash("sha1");
  let read = 0;
  await delay(1_000);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    // A socket without encoding gives buffers.
    const bytes = chunk as Buffer;
    hash.update(bytes.subarray(Math.min(bytes.length, Math.max(0, skip - read))));
    const before = Math.floor(read / megabyte);
    read += bytes.length;
    if (Math.floor(read / megabyte) !== before) await delay(5);
  }
  return hash.digest("hex");
}
