import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { createImpairedPipe, type Impairment } from "./impaired-pipe.ts";

export type { Impairment } from "./impaired-pipe.ts";

export interface ImpairmentProxy {
  readonly host: string;
  readonly port: number;
  /** Connections open now. */
  readonly connectionCount: number;
  /** Changes the impairment, also of open connections. */
  impair(change: Partial<Impairment>): void;
  /** Breaks every open connection with RST on both sides. */
  resetAll(): void;
  /** Breaks every open connection and stops listening. */
  close(): Promise<void>;
}

interface Pair {
  reset(): void;
  retune(): void;
}

/**
 * A TCP proxy on loopback that delays, slows down, holds back or breaks connections: the network
 * between two programs under test.
 *
 * @param target address to which connections are passed on
 * @example
 * const proxy = await startImpairmentProxy({ host: "127.0.0.1", port: api.port });
 * proxy.impair({ isBlackHole: true }); // partition
 * proxy.impair({ isBlackHole: false }); // healed: what was held back arrives
 */
export async function startImpairmentProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<ImpairmentProxy> {
  let impairment: Impairment = {
    delayMs: 0,
    bytesPerSecond: Number.POSITIVE_INFINITY,
    isBlackHole: false,
  };
  const pairs = new Set<Pair>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...target, allowHalfOpen: true });
    const pair = joinSockets(client, upstream, () => impairment);
    pairs.add(pair.pair);
    void pair.closed.then(() => pairs.delete(pair.pair));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  const resetAll = (): void => pairs.forEach((pair) => pair.reset());
  return {
    host: "127.0.0.1",
    port,
    get connectionCount() {
      return pairs.size;
    },
    impair: (change) => {
      impairment = { ...impairment, ...change };
      pairs.forEach((pair) => pair.retune());
    },
    resetAll,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      resetAll();
      await closed;
    },
  };
}

function joinSockets(
  client: Socket,
  upstream: Socket,
  impairment: () => Impairment,
): { pair: Pair; closed: Promise<unknown> } {
  const pipes = [
    createImpairedPipe(client, upstream, impairment),
    createImpairedPipe(upstream, client, impairment),
  ];
  const reset = (): void => {
    for (const socket of [client, upstream]) socket.resetAndDestroy();
  };
  for (const socket of [client, upstream]) {
    socket.setNoDelay(true);
    // When one side breaks, both break; a plain end goes through the pipe instead.
    socket.on("error", reset);
  }
  const closed = Promise.all(
    [client, upstream].map((socket) => new Promise((resolve) => socket.once("close", resolve))),
  ).then(() => pipes.forEach((pipe) => pipe.stop()));
  return { pair: { reset, retune: () => pipes.forEach((pipe) => pipe.retune()) }, closed };
}
