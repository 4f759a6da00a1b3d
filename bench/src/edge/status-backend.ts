import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { protocol } from "./bench-shields.ts";

/** Of a usual server without an icon. */
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

/** The server behind the shield, for the few times the edge asks it. */
export async function startStatusBackend(): Promise<{ readonly port: number; stop(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(statusAnswer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is not a pipe's name.
  const { port } = server.address() as AddressInfo;
  return { port, stop: () => server.close() };
}
