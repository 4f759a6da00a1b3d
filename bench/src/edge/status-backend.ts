import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { protocol } from "./sample-shields.ts";

/** The answer of a usual server without an icon. */
export const statusAnswer = encodeStatusResponse(
  JSON.stringify({
    version: { name: "Paper 1.21", protocol },
    players: {
      max: 200,
      online: 37,
      sample: [
        { name: "Steve", id: "8667ba71-b85a-4004-af54-457a9734eed7" },
        { name: "Alex", id: "ec561538-f3fd-461d-aff5-086b22154bce" },
      ],
    },
    description: { text: "A Minecraft Server", color: "gold" },
    enforcesSecureChat: true,
  }),
);

/** The version in a player's handshake, behind length and id; health checks use another version. */
const pingersVersion = encodeHandshake({ protocol, host: "", port: 0, intent: "status" }).subarray(
  2,
  4,
);

export interface StatusBackend {
  readonly port: number;
  /** Number of requests for a player's ping. */
  readonly asked: number;
  stop(): void;
}

/** The backend of the shield, which the edge asks rarely. */
export async function startStatusBackend(): Promise<StatusBackend> {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (question: Buffer) => {
      if (question.subarray(2, 4).equals(pingersVersion)) asked++;
      socket.end(statusAnswer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get asked() {
      return asked;
    },
    stop: () => void server.close(),
  };
}
