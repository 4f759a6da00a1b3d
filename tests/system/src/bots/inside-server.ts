import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import {
  decodeHandshake,
  handshakeFrameBytesMax,
} from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginDisconnect } from "@palisade/minecraft-protocol/java/login";
import {
  encodePong,
  encodeStatusResponse,
  pingPacketId,
} from "@palisade/minecraft-protocol/java/status";

export const insideWord = "inside";

const status = encodeStatusResponse(
  JSON.stringify({
    version: { name: "all", protocol: 765 },
    players: { online: 0, max: 100_000 },
    description: { text: "A server" },
  }),
);
const farewell = encodeLoginDisconnect(JSON.stringify({ text: insideWord }));

export interface InsideServer {
  readonly port: number;
  close(): void;
}

/** A server that tells every player who reaches it that they are in, and sends them away. */
export async function startInsideServer(): Promise<InsideServer> {
  const server = createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: portOf(server), close: () => void server.close() };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return address.port;
}

function serve(socket: Socket): void {
  let bytes: Buffer = Buffer.alloc(0);
  let state: "handshake" | "status" | "login" = "handshake";
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const frame = readFrame(bytes, 0, handshakeFrameBytesMax);
      if (frame.kind !== "packet") return;
      const body = bytes.subarray(frame.bodyStart, frame.bodyEnd);
      bytes = bytes.subarray(frame.bodyEnd);
      if (state === "handshake") {
        const result = decodeHandshake(body, 0, body.length);
        state = result.ok && result.handshake.intent === "status" ? "status" : "login";
      } else if (state === "login") return void socket.end(farewell);
      else socket.write(frame.id === pingPacketId ? encodePong(body) : status);
    }
  });
}
