import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const fixedBytes = 16;

export interface ProxyGate {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * What `proxy-protocol: true` or `false` makes of a game server. Header required: connections that
 * do not begin with a PROXY v2 header are closed, the others reach the server without it. Header
 * refused: those that begin with one are closed, as by vanilla, which has no such packet.
 */
export async function startProxyGate(
  serverPort: number,
  header: "required" | "refused",
): Promise<ProxyGate> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  };
  const gate = createServer((player) => {
    keep(player);
    let head = Buffer.alloc(0);
    const pass = (from: number): void => {
      player.off("data", read);
      const server = keep(connect(serverPort, "127.0.0.1"));
      server.write(head.subarray(from));
      player.pipe(server).pipe(player);
    };
    const read = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const isHeader = head.subarray(0, 12).equals(signature.subarray(0, head.length));
      if (isHeader !== (header === "required")) {
        // The first byte alone is no reason to think of a header.
        if (!isHeader || head.length >= signature.length) player.destroy();
        return;
      }
      if (!isHeader) return pass(0);
      const end = head.length < fixedBytes ? Infinity : fixedBytes + head.readUInt16BE(14);
      if (head.length >= end) pass(end);
    };
    player.on("data", read);
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  // A TCP server's address is not a pipe's name.
  const { port } = gate.address() as AddressInfo;
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      gate.close();
      await once(gate, "close");
    },
  };
}
