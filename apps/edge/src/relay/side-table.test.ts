import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { type DescriptorTracking, trackDescriptors } from "@palisade/sockets/descriptors";
import { type Libc, replaceLibc } from "@palisade/sockets/libc";
import { Reactor } from "@palisade/sockets/reactor";
import { withoutIoUring } from "@palisade/sockets/testing/without-io-uring";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectEnds } from "#src/testing/connected-ends.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { injectFaults } from "#src/testing/fault-injection.ts";
import { BandwidthShare } from "./bandwidth-share.ts";
import { RelayPair } from "./relay-pair.ts";

const loopback = "127.0.0.1";
/** Enough for a batch in each turn. */
const playersCount = 24;

/** One end of a relayed player: what it has sent, and what the other end has got. */
interface End {
  readonly socket: Socket;
  readonly sent: Buffer[];
  readonly got: Buffer[];
}

interface Player {
  readonly ends: readonly [player: End, backend: End];
  isClosed: boolean;
}

let tracking: DescriptorTracking;
let reactor: Reactor;
let wheel: TimerWheel;
let server: Server;
let players: Player[];
let share: BandwidthShare;
const meter = { bytesUp: 0, bytesDown: 0 };
const nowMs = 0;

function endOf(socket: Socket): End {
  const end: End = { socket, sent: [], got: [] };
  socket.on("data", (bytes: Buffer) => end.got.push(bytes));
  return end;
}

async function join(): Promise<Player> {
  const { player, backend, playerFd, backendFd } = await connectEnds(server);
  const joined: Player = { ends: [endOf(player), endOf(backend)], isClosed: false };
  const pair = new RelayPair(reactor, wheel, {
    player: playerFd,
    backend: backendFd,
    meter,
    share,
    firstAnswer: "given",
    events: {
      onAnswered: () => undefined,
      onSpoke: () => undefined,
      onHungUp: () => undefined,
      onClosed: () => (joined.isClosed = true),
    },
  });
  pair.start(Buffer.alloc(0), Buffer.alloc(0));
  return joined;
}

/** The bytes are in the kernel when it returns, unless its buffer is full. */
function say(end: End, bytes: Buffer): void {
  end.sent.push(bytes);
  end.socket.write(bytes);
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function isEqual(got: readonly Buffer[], sent: readonly Buffer[]): boolean {
  return lengthOf(got) === lengthOf(sent) && Buffer.concat(got).equals(Buffer.concat(sent));
}

/** The reactor and Node's own sockets take turns in this thread. */
async function relayUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    reactor.turn(0);
    await setImmediate();
  }
}

/** Relays until each end has got what the other one has sent. */
function relayAll(among: readonly Player[] = players): Promise<void> {
  return relayUntil(() =>
    among.every(
      ({ ends: [player, backend] }) =>
        isEqual(player.got, backend.sent) && isEqual(backend.got, player.sent),
    ),
  );
}

/** Small packets of all players, both ways, several times: the first ones are read one by one. */
async function play(random: Random, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const { ends } of players) {
      for (const end of ends) say(end, random.bytes(1 + random.below(1_500)));
    }
    await relayAll();
  }
}

/** @param of 0: all players, 1: all backends */
function sentBytes(of: 0 | 1): number {
  return players.reduce((sum, { ends }) => sum + lengthOf(ends[of].sent), 0);
}

beforeEach(async () => {
  tracking = trackDescriptors();
  reactor = new Reactor(256);
  wheel = new TimerWheel(() => nowMs);
  share = new BandwidthShare(() => nowMs);
  meter.bytesUp = meter.bytesDown = 0;
  server = createServer({ allowHalfOpen: true });
  server.listen(0, loopback);
  await once(server, "listening");
  players = [];
  for (let count = 0; count < playersCount; count++) players.push(await join());
});

afterEach(async () => {
  for (const { ends } of players) for (const { socket } of ends) socket.destroy();
  await relayUntil(() => players.every(({ isClosed }) => isClosed));
  server.close();
  reactor.close();
  tracking.stop();
});

const kernels: readonly { kernel: string; wrap: (real: Libc) => Libc }[] = [
  { kernel: "the kernel of this machine", wrap: (real) => real },
  { kernel: "a kernel without io_uring", wrap: withoutIoUring },
];

describe.each(kernels)("packets of many players in one turn, on $kernel", ({ wrap }) => {
  let restore: () => void;
  beforeEach(() => {
    restore = replaceLibc(wrap);
  });
  afterEach(() => restore());

  test("arrive whole at the right players, and are counted", async () => {
    await play(new Random(20_261_129), 20);
    expect(meter).toEqual({ bytesUp: sentBytes(0), bytesDown: sentBytes(1) });
  });

  test("that are longer than expected arrive whole too", async () => {
    const random = new Random(20_261_130);
    await play(random, 3);
    for (const length of [2_047, 2_048, 2_049, 100_000, 500_000, 10]) {
      for (const { ends } of players) for (const end of ends) say(end, random.bytes(length));
      await relayAll();
    }
    await play(random, 3);
    expect(meter.bytesUp).toBe(sentBytes(0));
  });

  test("wait for those who do not read, and no one else waits", async () => {
    const random = new Random(20_261_131);
    await play(random, 3);
    const slow = players.slice(0, 4);
    for (const { ends } of slow) ends[0].socket.pause();
    for (let time = 0; time < 200; time++) {
      for (const { ends } of slow) say(ends[1], random.bytes(40_000));
      for (const { ends } of players) say(ends[1], random.bytes(1_000));
      await relayAll(players.slice(4));
    }
    expect(lengthOf(slow[0]?.ends[0].got ?? [])).toBeLessThan(
      lengthOf(slow[0]?.ends[1].sent ?? []),
    );
    for (const { ends } of slow) ends[0].socket.resume();
    await relayAll();
  });

  test("come beside ends and resets: what was sent before an end arrives, and pairs end alone", async () => {
    const random = new Random(20_261_132);
    await play(random, 3);
    const [ending, broken, lasting] = [
      players.slice(0, 8),
      players.slice(8, 16),
      players.slice(16),
    ];
    for (const { ends } of players) for (const end of ends) say(end, random.bytes(500));
    for (const { ends } of ending) for (const { socket } of ends) socket.end();
    for (const [index, { ends }] of broken.entries())
      ends[index & 1 ? 1 : 0].socket.resetAndDestroy();
    await relayAll([...ending, ...lasting]);
    for (const { ends } of broken) for (const { socket } of ends) socket.end();
    await relayUntil(() => [...ending, ...broken].every(({ isClosed }) => isClosed));
    expect(lasting.some(({ isClosed }) => isClosed)).toBe(false);
    for (const { ends } of lasting) for (const end of ends) say(end, random.bytes(700));
    await relayAll(lasting);
  });

  test("take no more than the share that their shield has left", async () => {
    const random = new Random(20_261_133);
    await play(random, 3);
    share.limit(1_000_000);
    meter.bytesUp = meter.bytesDown = 0;
    // Time stands still: half a second's bytes are there, and one more read may begin with what is left.
    for (const { ends } of players) for (const end of ends) say(end, random.bytes(60_000));
    for (let turn = 0; turn < 500; turn++) reactor.turn(0);
    const moved = meter.bytesUp + meter.bytesDown;
    expect(moved).toBeGreaterThan(400_000);
    expect(moved).toBeLessThanOrEqual(500_000 + 4_096);
    share.limit(null);
    await relayAll();
  });
});

test("packets of many players in one turn arrive whole when system calls fail for the moment", async () => {
  const random = new Random(20_261_134);
  const faults = injectFaults(random, { passing: 5 });
  try {
    await play(random, 40);
  } finally {
    faults.undo();
  }
  expect(faults.injected()).toBeGreaterThan(100);
});
