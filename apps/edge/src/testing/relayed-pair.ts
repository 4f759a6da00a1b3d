import { once } from "node:events";
import { createHash } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { type DescriptorTracking, trackDescriptors } from "@palisade/sockets/descriptors";
import { Reactor } from "@palisade/sockets/reactor";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach } from "vitest";
import { BandwidthShare } from "#src/relay/bandwidth-share.ts";
import { RelayPair, type RelayPairOptions } from "#src/relay/relay-pair.ts";
import { connectEnds } from "./connected-ends.ts";

const loopback = "127.0.0.1";

interface Relaying {
  readonly tracking: DescriptorTracking;
  readonly reactor: Reactor;
  readonly wheel: TimerWheel;
  readonly server: Server;
  readonly sockets: Socket[];
  /** Stands still until `passTime`. */
  readonly clock: { nowMs: number };
  /** False: the reactor takes no turns of its own any more. */
  isRunning: boolean;
}

/** Made anew for each test. */
export let relaying: Relaying;

/** To be called once in a file of tests: each test relays in its thread. */
export function relayInThisThread(): void {
  beforeEach(async () => {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    const clock = { nowMs: 0 };
    const own: Relaying = {
      tracking: trackDescriptors(),
      reactor: new Reactor(64),
      wheel: new TimerWheel(() => clock.nowMs),
      server,
      sockets: [],
      clock,
      isRunning: true,
    };
    relaying = own;
    server.listen(0, loopback);
    await once(server, "listening");
    // The reactor and Node's own sockets take turns in this thread.
    const turn = (): void => {
      if (!own.isRunning) return;
      own.reactor.turn(0);
      setImmediate(turn);
    };
    turn();
  });

  afterEach(() => {
    for (const socket of relaying.sockets) socket.destroy();
    relaying.server.close();
    relaying.isRunning = false;
    relaying.reactor.close();
    relaying.tracking.stop();
  });
}

/** A relayed player: the pair, and Node's sockets at its ends. */
export interface Relayed {
  readonly player: Socket;
  readonly backend: Socket;
  readonly pair: RelayPair;
  readonly meter: { bytesUp: number; bytesDown: number };
  readonly log: string[];
  readonly descriptors: readonly number[];
}

interface FirstBytes {
  readonly header: Buffer;
  readonly head: Buffer;
}

const nothing = Buffer.alloc(0);

/** A player and a backend of Node, with a pair between them. */
export async function relayed({
  header = nothing,
  head = nothing,
  ...options
}: Partial<RelayPairOptions & FirstBytes> = {}): Promise<Relayed> {
  const { player, backend, playerFd, backendFd } = await connectEnds(relaying.server);
  relaying.sockets.push(player, backend);
  const meter = { bytesUp: 0, bytesDown: 0 };
  const log: string[] = [];
  const pair = new RelayPair(relaying.reactor, relaying.wheel, {
    player: playerFd,
    backend: backendFd,
    meter,
    share: new BandwidthShare(() => relaying.clock.nowMs),
    firstAnswer: "given",
    events: {
      onAnswered: () => log.push("answered"),
      onSpoke: () => log.push("spoke"),
      onHungUp: () => log.push("hung up"),
      onClosed: () => log.push("closed"),
    },
    ...options,
  });
  pair.start(header, head);
  return { player, backend, pair, meter, log, descriptors: [playerFd, backendFd] };
}

/** Everything a socket receives from now on. */
export function collect(socket: Socket): {
  bytes: number;
  text: () => string;
  digest: () => string;
} {
  const hash = createHash("sha256");
  const state = {
    bytes: 0,
    texts: [] as string[],
    text: () => state.texts.join(""),
    digest: () => hash.copy().digest("hex"),
  };
  socket.on("data", (bytes: Buffer) => {
    state.bytes += bytes.length;
    if (state.bytes < 10_000) state.texts.push(bytes.toString("latin1"));
    hash.update(bytes);
  });
  socket.resume();
  return state;
}

export const digestOf = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");
/** Its pair has closed both sides. */
export const closed = ({ log }: Relayed) => until(async () => log.includes("closed"));

export function passTime(ms: number): void {
  for (let at = 0; at < ms; at += 100) {
    relaying.clock.nowMs += 100;
    relaying.wheel.advance();
  }
}
