import { describe, expect, test } from "vitest";
import { abuseLimits, AbuseDetector } from "./abuse-detector.ts";
import { sourceCountOf, type Outcome } from "#src/telemetry/outcomes.ts";
import { AbuseCounters, sourceCount, type SourceRows } from "./source-counts.ts";

const { windowMs, hostileMax, refusedMax, connectionsMax, banSeconds, banSecondsMax } = abuseLimits;

type Ends = Partial<Record<Outcome, number>>;

function rows(key: string, ends: Ends): SourceRows {
  const counts = new AbuseCounters();
  for (const [outcome, times] of Object.entries(ends)) {
    // Whatever is a key here is an outcome.
    for (let n = 0; n < times; n++) counts.note(key, sourceCountOf[outcome as Outcome]);
  }
  return counts.drain();
}

function bansAfter(outcomes: Ends, key = "203.0.113.7"): unknown[] {
  const watch = new AbuseDetector();
  watch.add(rows(key, outcomes), 1_000_000);
  return watch.decide(1_000_000);
}

describe("abuse of the edge", () => {
  const once = [{ network: "203.0.113.7/32", seconds: banSeconds }];

  test.each([
    ["bytes that are no handshake", { malformed: hostileMax }, true],
    ["silence until the deadline", { deadline: hostileMax }, true],
    ["checks that fail", { bot_check: hostileMax - 1, rate: 1 }, true],
    ["a little of it", { malformed: hostileMax - 1 }, false],
    ["a crowd behind one address, some of them let in", { rate: 60, forwarded: 15 }, false],
    ["a crowd of bots with one that was let in", { rate: 100, forwarded: 1 }, true],
    ["refusals without end", { blacklist: refusedMax }, true],
    ["a player who tries and tries", { cooldown: refusedMax - 1 }, false],
    ["connections without end", { ping: connectionsMax }, true],
    ["lists that many refresh", { ping: connectionsMax - 1 }, false],
    ["an offline server's players", { offline: connectionsMax - 1 }, false],
    ["players that the edge could not check", { unchecked: connectionsMax - 1 }, false],
    ["players who are to come back", { verified: connectionsMax - 1 }, false],
    ["those who made room for others", { shed_pending: connectionsMax - 1 }, false],
    ["players", { forwarded: connectionsMax }, false],
  ])("%s", (_name, outcomes, isBanned) => {
    expect(bansAfter(outcomes)).toEqual(isBanned ? once : []);
  });

  test("an IPv6 line is banned as its /64; a key that is no address is never banned", () => {
    const hostile = { malformed: hostileMax };
    expect(bansAfter(hostile, "20010db800010002")).toEqual([
      { network: "2001:db8:1:2::/64", seconds: banSeconds },
    ]);
    expect(bansAfter(hostile, "fedcba9876543210")).toEqual([
      { network: "fedc:ba98:7654:3210::/64", seconds: banSeconds },
    ]);
    for (const noAddress of ["proxy", "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "20010db80001000g"]) {
      expect(bansAfter(hostile, noAddress)).toEqual([]);
    }
  });

  test("facts are forgotten after two windows, and add up within them", () => {
    const watch = new AbuseDetector();
    const half = rows("203.0.113.7", { malformed: hostileMax / 2 });
    watch.add(half, 0);
    watch.add(half, 2 * windowMs + 1);
    expect(watch.decide(2 * windowMs + 1)).toEqual([]);
    watch.add(half, 3 * windowMs);
    expect(watch.decide(3 * windowMs)).toEqual(once);
  });

  test("a source that comes back is banned for twice as long, up to the cap, and forgiven after a while", () => {
    const watch = new AbuseDetector();
    const hostile = rows("203.0.113.7", { malformed: hostileMax });
    const lengths: number[] = [];
    let nowMs = 0;
    for (let round = 0; round < 6; round++) {
      watch.add(hostile, nowMs);
      const [ban] = watch.decide(nowMs);
      lengths.push(ban?.seconds ?? 0);
      watch.add(hostile, nowMs + 1);
      expect(watch.decide(nowMs + 1), "while banned").toEqual([]);
      nowMs += (ban?.seconds ?? 0) * 1_000 + 1;
    }
    expect(lengths).toEqual([60, 120, 240, 480, banSecondsMax, banSecondsMax]);
    nowMs += abuseLimits.forgetMs;
    watch.add(hostile, nowMs);
    expect(watch.decide(nowMs)).toEqual(once);
  });

  test("a network is banned where many of it do little each, unless anybody of it is let in", () => {
    const crowd = (extra: Ends): unknown[] => {
      const watch = new AbuseDetector();
      for (let n = 1; n <= 16; n++) watch.add(rows(`203.0.113.${n}`, { bot_check: 10 }), 0);
      watch.add(rows("203.0.113.200", extra), 0);
      return watch.decide(0);
    };
    expect(crowd({})).toEqual([{ network: "203.0.113.0/24", seconds: banSeconds }]);
    expect(crowd({ forwarded: 1 })).toEqual([]);
    const watch = new AbuseDetector();
    watch.add(rows("203.0.113.1", { bot_check: 10 * 19 }), 0);
    expect(watch.decide(0)).toEqual([{ network: "203.0.113.1/32", seconds: banSeconds }]);
  });

  test("memory is bounded whatever the number of sources", () => {
    const watch = new AbuseDetector();
    const counts = new AbuseCounters();
    for (let n = 0; n < abuseLimits.sourcesMax + 1_000; n++) {
      counts.note(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, sourceCount.hostile);
      if (n % 10_000 === 0) watch.add(counts.drain(), 0);
    }
    watch.add(counts.drain(), 0);
    // One each of 256 sources of a network is more than a network's share.
    expect(watch.decide(0).every(({ network }) => network.endsWith("/24"))).toBe(true);
  });
});
