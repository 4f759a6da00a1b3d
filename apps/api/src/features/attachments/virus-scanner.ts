import { once } from "node:events";
import { createReadStream } from "node:fs";
import { connect, type Socket } from "node:net";

/** The address of clamd: a socket of this machine, or a host and port. */
export type ClamdAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number };

const timeoutMs = 30_000;
const replyBytesMax = 4_096;
const chunkBytes = 64 * 1024;

/** The file has a virus, by the name of the signature. Null: it has none that is known. */
export type ScanFile = (file: string) => Promise<string | null>;

/**
 * Asks clamd about a file, by its command INSTREAM (clamd(8)): the file goes in chunks, each with its
 * length before it, and an empty one at the end.
 *
 * @throws Error where clamd does not answer, or did not look at the whole file
 */
export function createVirusScanner(address: ClamdAddress): ScanFile {
  return async (file) => {
    const reply = await ask(connect(address), file);
    const virus = /^stream: (.+) FOUND$/.exec(reply)?.[1];
    if (virus !== undefined) return virus;
    if (reply === "stream: OK") return null;
    throw new Error(`clamd answered ${reply === "" ? "nothing" : reply}`);
  };
}

async function ask(socket: Socket, file: string): Promise<string> {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error("clamd did not answer in time")));
  const reply = readReply(socket);
  // `reply` ends with the socket's error, whichever of both fails first.
  reply.catch(() => undefined);
  try {
    socket.write("zINSTREAM\0");
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
      const bytes = chunk as Buffer;
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      socket.write(length);
      if (socket.write(bytes)) continue;
      // clamd answers early where the file is longer than it takes, and then reads no more.
      const early = await Promise.race([once(socket, "drain"), reply]);
      if (typeof early === "string") return early;
    }
    socket.write(Buffer.alloc(4));
    return await reply;
  } finally {
    socket.destroy();
  }
}

function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = "";
    const end = (): void => resolve(reply.split("\0")[0]?.trim() ?? "");
    socket.on("data", (chunk) => {
      reply += chunk.toString("utf8");
      if (reply.includes("\0") || reply.length > replyBytesMax) end();
    });
    socket.once("end", end);
    socket.once("close", end);
    socket.once("error", reject);
  });
}
