import { connect, createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";

export interface CountingProxy {
  readonly port: number;
  /** Bytes of players, from and to the server behind; pings and checks of health are left out. */
  readonly counted: { readonly up: number; readonly down: number };
  /** Connections of players that are open. */
  readonly players: number;
  close(): void;
}

const handshakeBytesMax = 1_024;
const statusIntent = 1;

/** Stands before a server and counts what an edge brings it of its players. */
export async function startCountingProxy(target: {
  readonly port: number;
}): Promise<CountingProxy> {
  const counted = { up: 0, down: 0 };
  let players = 0;
  const server = createServer((edge) => {
    const backend = connect({ port: target.port, host: "127.0.0.1" });
    let head: Buffer | undefined = Buffer.alloc(0);
    let isPlayer = false;
    edge.on("data", (bytes) => {
      backend.write(bytes);
      if (isPlayer) counted.up += bytes.length;
      if (head === undefined) return;
      head = Buffer.concat([head, bytes]);
      const frame = readFrame(head, 0, handshakeBytesMax);
      if (frame.kind !== "packet") return;
      // The intent is the handshake's last byte.
      isPlayer = head[frame.bodyEnd - 1] !== statusIntent;
      if (isPlayer) counted.up += head.length;
      if (isPlayer) players += 1;
      head = undefined;
    });
    backend.on("data", (bytes) => {
      edge.write(bytes);
      if (isPlayer) counted.down += bytes.length;
    });
    edge.on("close", () => {
      if (isPlayer) players -= 1;
      backend.destroy();
    });
    edge.on("error", () => undefined);
    backend.on("close", () => edge.end());
    backend.on("error", () => edge.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // The address of a TCP server is an object.
    port: (server.address() as AddressInfo).port,
    counted,
    get players() {
      return players;
    },
    close: () => server.close(),
  };
}
