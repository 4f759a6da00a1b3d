import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { HostPort } from "../product/palisade.ts";

export interface EchoServer {
  readonly port: number;
  /** Everything it has received on all connections. */
  heard(): string;
  stop(): void;
}

/** Echoes all bytes and records them. */
export async function startEchoServer(): Promise<EchoServer> {
  const sockets = new Set<Socket>();
  let heard = "";
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      socket.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    heard: () => heard,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Whether the bytes reach the server and come back. */
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
