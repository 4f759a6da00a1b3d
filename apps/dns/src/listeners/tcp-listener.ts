import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { networkOf } from "#src/limits/response-limiter.ts";
import type { Responder } from "#src/responder.ts";

export interface TcpLimits {
  /** Above these, the connection that has been quiet for the longest time is closed. */
  readonly connectionsMax: number;
  readonly connectionsPerSourceMax: number;
  /** A connection is closed after this time without a complete question. */
  readonly idleMs: number;
  /** A connection with more unread answers is closed. */
  readonly backlogBytesMax: number;
}

const defaultLimits: TcpLimits = {
  connectionsMax: 512,
  connectionsPerSourceMax: 32,
  idleMs: 10_000,
  backlogBytesMax: 256 * 1024,
};

export interface TcpListener {
  readonly port: number;
  /** Open connections. */
  readonly connections: number;
  /** Connections that made room for newer ones. */
  readonly shed: number;
  close(): Promise<void>;
}

/** Answers questions over TCP (RFC 7766): length-prefixed, several per connection, in order. */
export async function listenTcp(
  host: string,
  port: number,
  responder: Responder,
  limits: TcpLimits = defaultLimits,
): Promise<TcpListener> {
  // The connection that has been quiet for the longest time comes first.
  const open = new Map<Socket, string>();
  const perSource = new Map<string, number>();
  let shedCount = 0;

  const server = createServer({ noDelay: true }, (socket) => {
    const source = networkOf(socket.remoteAddress ?? "");
    // Connections of others end sooner than they would, but a newcomer is always served: a flood of
    // connections that ask nothing must not keep resolvers out.
    if ((perSource.get(source) ?? 0) >= limits.connectionsPerSourceMax) shed(source);
    else if (open.size >= limits.connectionsMax) shed();
    open.set(socket, source);
    perSource.set(source, (perSource.get(source) ?? 0) + 1);
    socket.on("close", () => forget(socket));
    serve(socket, responder, limits, () => {
      if (!open.delete(socket)) return;
      open.set(socket, source);
    });
  });

  function shed(source?: string): void {
    for (const [socket, itsSource] of open) {
      if (source !== undefined && itsSource !== source) continue;
      forget(socket);
      socket.destroy();
      shedCount += 1;
      return;
    }
  }

  function forget(socket: Socket): void {
    const source = open.get(socket);
    if (source === undefined) return;
    open.delete(socket);
    const left = (perSource.get(source) ?? 1) - 1;
    if (left === 0) perSource.delete(source);
    else perSource.set(source, left);
  }

  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP server");
  return {
    port: address.port,
    get connections() {
      return open.size;
    },
    get shed() {
      return shedCount;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of open.keys()) socket.destroy();
      await closed;
    },
  };
}

function serve(
  socket: Socket,
  responder: Responder,
  limits: TcpLimits,
  onAnswered: () => void,
): void {
  let pending: Buffer = Buffer.alloc(0);
  // The deadline is per question and not per byte: single bytes must not keep a connection open.
  const deadline = setTimeout(() => socket.destroy(), limits.idleMs);
  deadline.unref();
  socket.on("error", () => socket.destroy());
  socket.on("close", () => clearTimeout(deadline));
  socket.on("data", (chunk) => {
    // `pending` stays below one message plus one chunk, because whole messages are removed at once.
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= 2) {
      const end = 2 + pending.readUInt16BE(0);
      if (pending.length < end) return;
      const reply = responder.respond(pending.subarray(2, end), "tcp");
      pending = pending.subarray(end);
      if (reply === null || socket.writableLength > limits.backlogBytesMax) {
        socket.destroy();
        return;
      }
      const prefix = Buffer.alloc(2);
      prefix.writeUInt16BE(reply.length);
      socket.write(Buffer.concat([prefix, reply]));
      deadline.refresh();
      onAnswered();
    }
  });
}
