import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { decodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeStatusResponse, statusRequest } from "@palisade/minecraft-protocol/java/status";

export interface TestBackendOptions {
  /** Answers a status with this; by default `{"protocol": <the client's>, "n": <which answer>}`. */
  readonly status?: (protocol: number, count: number) => Buffer | undefined;
  /** A port that was free a moment ago; by default any. */
  readonly port?: number;
  /** By default 127.0.0.1. */
  readonly host?: string;
  /** Takes every connection before a byte of it was read; no status is answered then. */
  readonly onRaw?: (socket: Socket) => void;
}

/** A TCP server that speaks the status exchange, or leaves everything to the test. */
export async function startTestBackend(options: TestBackendOptions = {}) {
  const state = { statuses: 0, connections: 0, protocols: [] as number[], hosts: [] as string[] };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    state.connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    if (options.onRaw !== undefined) {
      options.onRaw(socket);
      return;
    }
    let head = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const frame = readFrame(head, 0, 4096);
      if (frame.kind !== "packet" || head.length < frame.bodyEnd + statusRequest.length) return;
      const result = decodeHandshake(head, frame.bodyStart, frame.bodyEnd);
      if (!result.ok) throw new Error(result.reason);
      const { protocol, host } = result.handshake;
      state.protocols.push(protocol);
      state.hosts.push(host);
      const bytes = (options.status ?? plainStatus)(protocol, ++state.statuses);
      if (bytes !== undefined) socket.write(bytes);
    });
  });
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is not a pipe's name.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    state,
    sockets,
    stop: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, "close");
    },
  };
}

function plainStatus(protocol: number, n: number): Buffer {
  return encodeStatusResponse(JSON.stringify({ version: { name: "Test", protocol }, n }));
}
