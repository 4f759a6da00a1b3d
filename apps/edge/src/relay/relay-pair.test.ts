import { randomBytes } from "node:crypto";
import { replaceLibc } from "@palisade/sockets/libc";
import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import {
  closed,
  collect,
  digestOf,
  passTime,
  type Relayed,
  relayed,
  relaying,
  relayInThisThread,
} from "#src/testing/relayed-pair.ts";
import { BandwidthShare } from "./bandwidth-share.ts";

relayInThisThread();

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

describe("the share of a shield", () => {
  test.each(["up", "down"] as const)(
    "slows bulk %s to it and loses no byte, while small packets of its other players and another shield's bulk go on",
    async (direction) => {
      const share = new BandwidthShare(() => relaying.clock.nowMs);
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
      expect(relaying.clock.nowMs).toBeGreaterThan(3_500);
      expect(arrived.map((each) => each.digest())).toEqual(
        [content, Buffer.from("tick"), content].map(digestOf),
      );
      for (const { pair } of [bulk, small, other]) pair.destroy();
    },
  );

  test("that is used up holds no side back from ending", async () => {
    const share = new BandwidthShare(() => relaying.clock.nowMs);
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
    expect(relaying.clock.nowMs).toBeLessThan(60_000);
    expect([relaying.reactor.size, share.isWaitedFor]).toEqual([0, false]);
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
    expect(relaying.reactor.size).toBe(0);
  });
});
