import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { replaceLibc } from "@palisade/sockets/libc";
import { createChannelPair, UnixChannel } from "@palisade/sockets/unix-channel";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import {
  closed,
  collect,
  digestOf,
  passTime,
  relayed,
  relaying,
  relayInThisThread,
} from "#src/testing/relayed-pair.ts";
import { BandwidthShare } from "./bandwidth-share.ts";

relayInThisThread();

/** Keeps descriptors open in a message that is on its way, as a worker does that has not closed its own. */
function keepOpen(descriptors: readonly number[]): () => void {
  const ends = createChannelPair().map((fd) => new UnixChannel(fd, 64));
  ends[0]?.send(Buffer.from("kept"), descriptors);
  return () => {
    for (const end of ends) end.close();
  };
}

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
    await until(async () => both.log.includes("answered") || relaying.reactor.size === 1);
    passTime(29_000);
    passTime(2_000);
    await closed(both);
    clearInterval(flood);
    expect(relaying.reactor.size).toBe(0);
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
    expect(relaying.reactor.size).toBe(0);
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
    const share = new BandwidthShare(() => relaying.clock.nowMs);
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
    expect(relaying.reactor.size).toBe(0);
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
    relaying.isRunning = false;
    relaying.reactor.turn(0);
    expect(relaying.reactor.turn(0)).toBe(0);
    release();
  },
);

test("the end of a backend leaves for the player as one packet with its last bytes", async () => {
  const calls: string[] = [];
  const moreFollows = 0x8000;
  relaying.isRunning = false;
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
    relaying.reactor.turn(0);
  } finally {
    restore();
  }
  expect(calls).toEqual(["send with what follows", "end"]);
  await once(player, "end");
  expect(down.text()).toBe("bye");
  pair.destroy();
});
