import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { boundAddress, connectTcp, listenTcp } from "@palisade/sockets/tcp";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { TcpConnection } from "@palisade/sockets/tcp-connection";
import { TcpListener } from "@palisade/sockets/tcp-listener";
import { FdBudget } from "@palisade/shared-tables/shared-counters";
import { LocalRelays } from "#src/relay/local-relays.ts";
import type { RelayIds, RunningRelay } from "#src/relay/relay-host.ts";
import { AdoptedRelays } from "#src/relay/adopted-relays.ts";
import type { RateOf } from "#src/relay/bandwidth-share.ts";
import { RelayPool } from "#src/relay/relay-pool.ts";
import { threadReactor } from "@palisade/sockets/reactor";
import { TimerWheel } from "@palisade/sockets/timer-wheel";

/** Reports about a forwarder's players, old and new, and its current values. */
export interface ForwarderCounts {
  players: number;
  answered: number;
  spoke: number;
  hungUp: number;
  closed: number;
  readonly moved: { bytesUp: number; bytesDown: number };
  readonly adopted: RelayIds[];
}

/** As a forwarder does before it relays, it reads this many bytes of each player. */
export const headBytes = 4;

export interface TestForwarderOptions {
  readonly folder: string;
  readonly backendPort: number;
  readonly playersMax?: number;
  readonly header?: Buffer;
  readonly lifeline?: number;
  readonly rateOf?: RateOf;
}

/**
 * A forwarder without a protocol: dials the backend for every connection and hands it to relay
 * processes.
 */
export async function startTestForwarder(options: TestForwarderOptions) {
  const counts: ForwarderCounts = {
    players: 0,
    answered: 0,
    spoke: 0,
    hungUp: 0,
    closed: 0,
    moved: { bytesUp: 0, bytesDown: 0 },
    adopted: [],
  };
  const wheel = new TimerWheel(() => performance.now());
  const fds = new FdBudget(100_000);
  const relays = new Set<RunningRelay>();
  const rateOf = options.rateOf ?? ((): undefined => undefined);
  const pool = new RelayPool({
    folder: options.folder,
    lifeline: options.lifeline,
    playersMax: options.playersMax ?? 10_000,
    fds,
    meter: () => counts.moved,
    rateOf,
    otherwise: new LocalRelays(wheel),
    // However long they take to start here.
    waitMs: 60_000,
    log: pino({ level: "silent" }),
  });
  const kept = new AdoptedRelays({
    folder: options.folder,
    register: {
      meter: () => counts.moved,
      rateOf,
      adopt: (ids) => {
        counts.players++;
        counts.adopted.push(ids);
        return () => void counts.players--;
      },
    },
    log: pino({ level: "silent" }),
  });
  await pool.start();
  await kept.adoptAll(pool.pids);

  /** Players whose head or backend is still waited for. */
  let onTheWay = 0;

  async function take(player: TcpConnection): Promise<void> {
    onTheWay++;
    fds.take();
    let head = Buffer.alloc(0);
    const begun = Promise.withResolvers<void>();
    player.listen({
      received: (chunk) => {
        head = Buffer.concat([head, chunk]);
        if (head.length < headBytes) return;
        player.pause();
        begun.resolve();
      },
      ended: () => undefined,
      closed: begun.resolve,
    });
    player.resume();
    await begun.promise;
    fds.take();
    const backend = await dial(options.backendPort, () => fds.release());
    counts.players++;
    onTheWay--;
    const relay = pool.take({
      player,
      backend,
      header: options.header ?? Buffer.alloc(0),
      head,
      ids: { shield: "shield", backend: "backend", source: "127.0.0.1", isUnparsed: true },
      meter: counts.moved,
      events: {
        onAnswered: () => void counts.answered++,
        onSpoke: () => void counts.spoke++,
        onHungUp: () => void counts.hungUp++,
        onClosed: () => {
          counts.players--;
          counts.closed++;
          relays.delete(relay);
          fds.release();
        },
      },
    });
    relays.add(relay);
  }

  const socket = listenTcp({ ip: "127.0.0.1", port: 0, backlog: 512 });
  const { port } = boundAddress(socket);
  const listener = new TcpListener(socket, (player) => void take(player));
  let isOpen = true;
  const close = (): void => {
    // Stopped after a hand-over: by then the descriptor's number may be another socket's.
    if (!isOpen) return;
    isOpen = false;
    listener.close();
    closeDescriptor(socket);
  };
  wheel.run();
  return {
    port,
    counts,
    pool,
    relays,
    /** Once a second. */
    tick: (): void => {
      pool.tick();
      kept.tick();
    },
    /** Descriptors it holds for connections. */
    openFiles: () => fds.used,
    /** Ends every player. */
    stop: (): void => {
      close();
      void pool.stop();
      kept.end();
      wheel.stop();
    },
    /** No connection waits to be accepted any more; those on their way are let in first. */
    handOver: async (): Promise<void> => {
      close();
      await until(() => onTheWay === 0);
      wheel.stop();
      await pool.leave();
      await kept.leave();
    },
  };
}

/** A connection to the backend, once it stands. */
function dial(port: number, onFreed: () => void): Promise<TcpConnection> {
  const remote = { ip: "127.0.0.1", port };
  const fd = connectTcp(remote);
  const reactor = threadReactor();
  return new Promise((resolve) => {
    const slot = reactor.add(fd, epollEvents.writable, {
      ready: () => {
        reactor.detach(slot, fd);
        resolve(new TcpConnection(reactor, fd, remote, onFreed));
        return false;
      },
    });
  });
}

export type TestForwarder = Awaited<ReturnType<typeof startTestForwarder>>;
