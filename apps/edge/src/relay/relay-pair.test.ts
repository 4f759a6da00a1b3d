import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { createHash, randomBytes } from "node:crypto";
import { trackDescriptors, type DescriptorTracking } from "@palisade/sockets/descriptors";
import { replaceLibc } from "@palisade/sockets/libc";
import { createChannelPair, UnixChannel } from "@palisade/sockets/unix-channel";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Reactor } from "@palisade/sockets/reactor";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { connectEnds } from "#src/testing/connected-ends.ts";
import { BandwidthShare } from "./bandwidth-share.ts";
import { RelayPair, type RelayPairOptions } from "./relay-pair.ts";

const loopback = "127.0.0.1";

let tracking: DescriptorTracking;
let reactor: Reactor;
let wheel: TimerWheel;
let nowMs = 0;
let isRunning = true;
let server: Server;
const sockets: Socket[] = [];

beforeEach(async () => {
  tracking = trackDescriptors();
  reactor = new Reactor(64);
  nowMs = 0;
  wheel = new TimerWheel(() => nowMs);
  isRunning = true;
  server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  server.listen(0, loopback);
  await once(server, "listening");
  // The reactor and Node's own sockets take turns in this thread.
  const turn = (): void => {
    if (!isRunning) return;
    reactor.turn(0);
    setImmediate(turn);
  };
  turn();
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  isRunning = false;
  reactor.close();
  tracking.stop();
});

interface Relayed {
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
async function relayed({
  header = nothing,
  head = nothing,
  ...options
}: Partial<RelayPairOptions & FirstBytes> = {}): Promise<Relayed> {
  const { player, backend, playerFd, backendFd } = await connectEnds(server);
  sockets.push(player, backend);
  const meter = { bytesUp: 0, bytesDown: 0 };
  const log: string[] = [];
  const pair = new RelayPair(reactor, wheel, {
    player: playerFd,
    backend: backendFd,
    meter,
    share: new BandwidthShare(() => nowMs),
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

/** Keeps descriptors open in a message that is on its way, as a worker does that has not closed its own. */
function keepOpen(descriptors: readonly number[]): () => void {
  const ends = createChannelPair().map((fd) => new UnixChannel(fd, 64));
  ends[0]?.send(Buffer.from("kept"), descriptors);
  return () => {
    for (const end of ends) end.close();
  };
}

/** Everything a socket receives from now on. */
function collect(socket: Socket): { bytes: number; text: () => string; digest: () => string } {
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

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const closed = ({ log }: Relayed) => until(async () => log.includes("closed"));

function passTime(ms: number): void {
  for (let at = 0; at < ms; at += 100) {
    nowMs += 100;
    wheel.advance();
  }
}

describe("bytes", () => {
  test("go both ways after header and head; the header is no traffic of the player's", async () => {
    const both = await relayed({
      header: Buffer.from("PROXY "),
      head: Buffer.from("login "),
    });
    const { player, backend, meter, log } = both;
    const up = collect(backend);
    const down = collect(player);
    player.write("from the player");
    backend.write("from the backend");
    await until(async () => up.text() === "PROXY login from the player");
    await until(async () => down.text() === "from the backend");
    expect(meter).toEqual({ bytesUp: 21, bytesDown: 16 });
    expect(log.toSorted()).toEqual(["answered", "spoke"]);
    player.end();
    backend.end();
    await closed(both);
  });

  test.each(["up", "down"] as const)(
    "of a bulk transfer %s arrive unchanged while the receiver pauses now and then",
    async (direction) => {
      const both = await relayed();
      const { player, backend, meter } = both;
      const [from, to] = direction === "up" ? [player, backend] : [backend, player];
      const content = randomBytes(24 * 1_024 * 1_024);
      const arrived = collect(to);
      let pauses = 0;
      to.on("data", () => {
        if (arrived.bytes < (pauses + 1) * 3_000_000) return;
        pauses += 1;
        to.pause();
        setImmediate(() => to.resume());
      });
      from.write(content);
      await until(async () => arrived.bytes === content.length);
      expect(arrived.digest()).toBe(digestOf(content));
      expect(direction === "up" ? meter.bytesUp : meter.bytesDown).toBe(content.length);
      // Small packets go on after the transfer.
      const small = randomBytes(2_000);
      for (let at = 0; at < small.length; at += 100) from.write(small.subarray(at, at + 100));
      await until(async () => arrived.bytes === content.length + small.length);
      expect(arrived.digest()).toBe(digestOf(Buffer.concat([content, small])));
      both.pair.destroy();
      await closed(both);
    },
  );

  test("to a peer that does not read stop the other one from being read", async () => {
    const both = await relayed();
    const { player, backend } = both;
    backend.write(Buffer.alloc(64 * 1_024 * 1_024));
    let last = -1;
    await until(
      async () => {
        const isSteady = last === both.meter.bytesDown && last > 0;
        last = both.meter.bytesDown;
        return isSteady;
      },
      { everyMs: 50 },
    );
    expect(last).toBeLessThan(64 * 1_024 * 1_024);
    const down = collect(player);
    await until(async () => down.bytes === 64 * 1_024 * 1_024, { capMs: 60_000 });
    both.pair.destroy();
    await closed(both);
  });
});

describe("an end", () => {
  test("goes through in one direction, and the other direction goes on", async () => {
    const both = await relayed();
    const { player, backend, log } = both;
    const up = collect(backend);
    const down = collect(player);
    const ended = once(backend, "end");
    player.end("bye");
    await ended;
    expect(up.text()).toBe("bye");
    backend.write("still there");
    await until(async () => down.text() === "still there");
    expect(log).not.toContain("closed");
    backend.end();
    await closed(both);
  });

  test("comes after bytes that a slow peer has not taken yet", async () => {
    const both = await relayed();
    const { player, backend } = both;
    const content = randomBytes(16 * 1_024 * 1_024);
    backend.end(content);
    await until(async () => both.meter.bytesDown > 0);
    const down = collect(player);
    const ended = once(player, "end");
    await ended;
    expect([down.bytes, down.digest()]).toEqual([content.length, digestOf(content)]);
    player.end();
    await closed(both);
  });

  test("is told if the backend never answered", async () => {
    const both = await relayed();
    both.backend.end();
    await until(async () => both.log.includes("hung up"));
    both.player.end();
    await closed(both);
    expect(both.log).toEqual(["hung up", "closed"]);
  });
});

describe("a player who is gone", () => {
  test("takes the backend along within 30 s, although it goes on sending", async () => {
    const both = await relayed();
    const { player, backend } = both;
    const up = collect(backend);
    player.write("hello");
    await until(async () => up.text() === "hello");
    player.resetAndDestroy();
    const flood = setInterval(() => backend.write("more"), 1);
    await until(async () => both.log.includes("answered") || reactor.size === 1);
    passTime(29_000);
    passTime(2_000);
    await closed(both);
    clearInterval(flood);
    expect(reactor.size).toBe(0);
  });

  test("leaves their last bytes to the backend", async () => {
    const both = await relayed();
    const { player, backend } = both;
    player.write("last words");
    await until(async () => both.meter.bytesUp === 10);
    player.resetAndDestroy();
    const up = collect(backend);
    await once(backend, "end");
    expect(up.text()).toBe("last words");
    backend.end();
    await closed(both);
  });
});

describe("a backend that is gone", () => {
  test("leaves its last bytes to a slow player, who may take longer than 30 s", async () => {
    const both = await relayed();
    const { player, backend } = both;
    const content = randomBytes(1_024 * 1_024);
    backend.write(content);
    await until(async () => both.meter.bytesDown > 0);
    backend.end();
    const down = collect(player);
    const ended = once(player, "end");
    await until(async () => down.bytes > 0);
    await ended;
    expect(down.digest()).toBe(digestOf(content));
    player.end();
    await closed(both);
  });

  test("by a reset ends the player's connection", async () => {
    const both = await relayed();
    const { player, backend, log } = both;
    collect(player);
    const ended = once(player, "end");
    backend.resetAndDestroy();
    await ended;
    player.end();
    await closed(both);
    expect(log).toEqual(["hung up", "closed"]);
  });
});

describe("a backend that is silent", () => {
  test("from the start ends a login within the dial's deadline, and counts as hung up", async () => {
    const both = await relayed({ head: Buffer.from("login"), firstAnswer: "head" });
    const up = collect(both.backend);
    both.player.write(" and more");
    await until(async () => up.text() === "login and more");
    passTime(7_000);
    expect(both.log).not.toContain("closed");
    passTime(2_000);
    expect(both.log).toEqual(["spoke", "hung up", "closed"]);
    expect(reactor.size).toBe(0);
  });

  test("ends by then also if the player has ended or gone before", async () => {
    for (const leave of ["end", "resetAndDestroy"] as const) {
      const both = await relayed({ head: Buffer.from("login"), firstAnswer: "head" });
      collect(both.backend);
      both.player[leave]();
      await once(both.backend, "end");
      passTime(9_000);
      expect(both.log).toEqual(["closed"]);
    }
  });

  test("after one byte of it may be silent as long as any other", async () => {
    const both = await relayed({ head: Buffer.from("login"), firstAnswer: "head" });
    const down = collect(both.player);
    both.backend.write("x");
    await until(async () => down.bytes === 1);
    passTime(590_000);
    expect(both.log).toEqual(["answered"]);
    both.pair.destroy();
  });

  test("is not one whose bytes wait only for the share of its shield", async () => {
    const share = new BandwidthShare(() => nowMs);
    share.limit(1);
    share.tokens = 0;
    const both = await relayed({ head: Buffer.from("login"), firstAnswer: "head", share });
    both.backend.write("welcome");
    await until(async () => share.isWaitedFor);
    passTime(9_000);
    expect(both.log).toEqual([]);
    share.limit(1_000_000);
    passTime(100);
    share.tick();
    const down = collect(both.player);
    await until(async () => down.text() === "welcome");
    both.pair.destroy();
  });

  test("has the time, in a game that is not parsed, from the player's first byte on", async () => {
    const both = await relayed({ head: Buffer.alloc(0), firstAnswer: "spoken" });
    const up = collect(both.backend);
    passTime(60_000);
    both.player.write("hi");
    await until(async () => up.bytes === 2);
    passTime(9_000);
    expect(both.log).toEqual(["spoke", "hung up", "closed"]);
  });
});

describe("the share of a shield", () => {
  test.each(["up", "down"] as const)(
    "slows bulk %s to it and loses no byte, while small packets of its other players and another shield's bulk go on",
    async (direction) => {
      const share = new BandwidthShare(() => nowMs);
      share.limit(2_000_000);
      const [bulk, small, other] = [
        await relayed({ share }),
        await relayed({ share }),
        await relayed(),
      ];
      const content = randomBytes(8 * 1_024 * 1_024);
      const ends = ({ player, backend }: Relayed) =>
        direction === "up" ? ([player, backend] as const) : ([backend, player] as const);
      const arrived = [bulk, small, other].map((each) => collect(ends(each)[1]));
      for (const each of [bulk, other]) ends(each)[0].write(content);
      await until(async () => arrived[2]?.bytes === content.length && share.isWaitedFor);
      // A second's half at once, and what the last read took beyond it.
      expect(arrived[0]?.bytes).toBeLessThan(1_300_000);
      ends(small)[0].write("tick");
      await until(async () => arrived[1]?.text() === "tick");
      await until(async () => {
        passTime(100);
        share.tick();
        return arrived[0]?.bytes === content.length;
      });
      expect(nowMs).toBeGreaterThan(3_500);
      expect(arrived.map((each) => each.digest())).toEqual(
        [content, Buffer.from("tick"), content].map(digestOf),
      );
      for (const { pair } of [bulk, small, other]) pair.destroy();
    },
  );

  test("that is used up holds no side back from ending", async () => {
    const share = new BandwidthShare(() => nowMs);
    share.limit(100_000);
    const both = await relayed({ share });
    both.backend.write(Buffer.alloc(4 * 1_024 * 1_024));
    await until(async () => share.isWaitedFor);
    both.player.resetAndDestroy();
    await until(async () => {
      passTime(1_000);
      share.tick();
      return both.log.includes("closed");
    });
    expect(nowMs).toBeLessThan(60_000);
    expect([reactor.size, share.isWaitedFor]).toEqual([0, false]);
  });
});

describe("silence", () => {
  test("ends both sides after ten minutes; one byte before that starts the time anew", async () => {
    const both = await relayed();
    const { player, backend } = both;
    const up = collect(backend);
    passTime(599_000);
    player.write("x");
    await until(async () => up.bytes === 1);
    passTime(599_000);
    expect(both.log).not.toContain("closed");
    passTime(700_000);
    await closed(both);
  });

  test("after one side's end closes both within 30 s", async () => {
    const both = await relayed();
    both.player.end();
    collect(both.backend);
    await once(both.backend, "end");
    passTime(31_000);
    await closed(both);
    expect(reactor.size).toBe(0);
  });
});

describe("a machine without memory", () => {
  test("closes the pair that epoll does not take, and tells so", async () => {
    const restore = replaceLibc((real) => ({ ...real, epoll_ctl: () => -1 }));
    let both: Relayed;
    try {
      both = await relayed();
    } finally {
      restore();
    }
    expect(both.log).toEqual(["closed"]);
    expect(reactor.size).toBe(0);
  });
});

test.each([
  ["at once", 0],
  ["after some packets", 3],
])(
  "a player who has left %s is reported once at most while a worker still holds their descriptors",
  async (_, packets) => {
    const { player, backend, pair, log, descriptors } = await relayed();
    const [up, down] = [collect(backend), collect(player)];
    for (let count = 1; count <= packets; count++) {
      player.write("x");
      backend.write("x");
      await until(() => up.bytes === count && down.bytes === count);
    }
    const release = keepOpen(descriptors);
    pair.destroy();
    expect(log.at(-1)).toBe("closed");
    player.write("more");
    backend.write("more");
    await until(() => [player, backend].every((end) => end.bytesWritten === packets + 4));
    isRunning = false;
    reactor.turn(0);
    expect(reactor.turn(0)).toBe(0);
    release();
  },
);

test("the end of a backend leaves for the player as one packet with its last bytes", async () => {
  const calls: string[] = [];
  const moreFollows = 0x8000;
  isRunning = false;
  const { player, backend, pair } = await relayed();
  const down = collect(player);
  backend.end("bye");
  await once(backend, "finish");
  const restore = replaceLibc((real) => ({
    ...real,
    send: (fd, address, length, flags) => {
      calls.push((flags & moreFollows) === 0 ? "send" : "send with what follows");
      return real.send(fd, address, length, flags);
    },
    shutdown: (fd, direction) => {
      calls.push("end");
      return real.shutdown(fd, direction);
    },
  }));
  try {
    // Bytes and end are there by the time that both have been sent within this machine.
    reactor.turn(0);
  } finally {
    restore();
  }
  expect(calls).toEqual(["send with what follows", "end"]);
  await once(player, "end");
  expect(down.text()).toBe("bye");
  pair.destroy();
});
