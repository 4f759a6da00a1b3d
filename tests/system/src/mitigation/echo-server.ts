import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { HostPort } from "../product/palisade.ts";

/** A server of another game, which sends back what it hears. */
export async function startEchoServer(): Promise<{ port: number; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is not a pipe's name.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Whether the server behind is reached. */
export function isEchoed(target: HostPort, localAddress: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...target, localAddress });
    socket.on("error", () => resolve(false));
    socket.on("close", () => resolve(false));
    socket.on("data", () => {
      resolve(true);
      socket.destroy();
    });
    socket.write("hello");
  });
}
