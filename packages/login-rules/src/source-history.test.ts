import { describe, expect, test } from "vitest";
import {
  badIn,
  DecayingCounts,
  failsOften,
  goodIn,
  historyLimits,
  isFlooding,
  SourceHistory,
} from "./source-history.ts";
import { ip } from "./testing/verdict-fixture.ts";

const start = 1_800_000_000_000;
const { networkPeriodMs: period, failedMs, joinsMin, playersPeriodMs } = historyLimits;
const small = { failed: 64, networks: 64, players: 64 };
const shield = Uint8Array.of(1, 2, 3);

function history(): SourceHistory {
  return new SourceHistory(SourceHistory.allocate(Buffer.from("8 random"), small));
}

function times(count: number, act: () => void): void {
  for (let n = 0; n < count; n++) act();
}

describe("the history of sources", () => {
  test("knows a source that has failed for ten minutes, with the rest of its /64", () => {
    const known = history();
    known.failed(ip("203.0.113.7"), undefined, false, start);
    known.failed(ip("2001:db8::1"), undefined, false, start);
    expect(known.hasFailed(ip("203.0.113.7"), start + failedMs - 1_000)).toBe(true);
    expect(known.hasFailed(ip("203.0.113.8"), start)).toBe(false);
    expect(known.hasFailed(ip("2001:db8::ffff"), start)).toBe(true);
    expect(known.hasFailed(ip("203.0.113.7"), start + failedMs + 1_000)).toBe(false);
  });

  test("counts a player who left for the network, and not for the source", () => {
    const known = history();
    known.failed(ip("203.0.113.7"), undefined, true, start);
    expect(known.hasFailed(ip("203.0.113.7"), start)).toBe(false);
    expect(badIn(known.ofNetwork(ip("203.0.113.99"), start))).toBe(1);
  });

  test("takes a network with failures alone for one of bots, and one with many passes for none", () => {
    const known = history();
    times(20, () => known.failed(ip("203.0.113.7"), undefined, false, start));
    times(20, () => known.failed(ip("198.51.100.7"), undefined, false, start));
    times(30, () => known.passed(ip("198.51.100.8"), undefined, start));
    const bots = known.ofNetwork(ip("203.0.113.1"), start);
    const players = known.ofNetwork(ip("198.51.100.1"), start);
    expect([failsOften(bots), isFlooding(bots)]).toEqual([true, true]);
    expect([failsOften(players), isFlooding(players)]).toEqual([false, false]);
  });

  test("forgets failures by halves", () => {
    const known = history();
    const source = ip("203.0.113.7");
    times(8, () => known.failed(source, undefined, false, start));
    const left = [0, 1, 2, 3, 4].map((n) => badIn(known.ofNetwork(source, start + n * period)));
    expect(left).toEqual([8, 4, 2, 1, 0]);
  });

  test("counts an autonomous system over all its networks", () => {
    const known = history();
    const place = { asn: 64_496 };
    for (let n = 0; n < 5; n++) known.failed(Uint8Array.of(10, 0, n, 1), place, false, start);
    expect(badIn(known.ofSystem(64_496, start))).toBe(5);
    expect(badIn(known.ofSystem(64_497, start))).toBe(0);
  });

  test("says which versions and countries are unusual once it has seen enough players", () => {
    const known = history();
    const join = (): void => known.joined(shield, 772, { country: "DE" }, start);
    times(joinsMin - 1, join);
    expect(known.isUnusualVersion(shield, 47, start)).toBe(false);
    join();
    expect(known.isUnusualVersion(shield, 47, start)).toBe(true);
    expect(known.isUnusualVersion(shield, 772, start)).toBe(false);
    expect(known.isUnusualCountry(shield, "BR", start)).toBe(true);
    expect(known.isUnusualCountry(shield, "DE", start)).toBe(false);
    expect(known.isUnusualVersion(Uint8Array.of(9), 47, start)).toBe(false);
    expect(known.isUnusualVersion(shield, 47, start + playersPeriodMs)).toBe(false);
  });
});

describe("decaying counts", () => {
  const slots = 8;

  test("keep the source with many failures, however many others fail once", () => {
    const counts = new DecayingCounts(DecayingCounts.allocate(slots), period);
    const often = { high: 7, low: 0 };
    times(5, () => counts.add(often, "bad", start));
    for (let n = 100; n < 200; n++) counts.add({ high: n, low: n }, "bad", start);
    expect(badIn(counts.of(often, start))).toBe(5);
  });

  test("end at 511, of each kind by itself", () => {
    const counts = new DecayingCounts(DecayingCounts.allocate(slots), period);
    const key = { high: 7, low: 0 };
    times(600, () => counts.add(key, "bad", start));
    counts.add(key, "good", start);
    expect([badIn(counts.of(key, start)), goodIn(counts.of(key, start))]).toEqual([511, 1]);
  });

  test("are the same for a thread that is still in the period before, and nothing after a clock was set far back", () => {
    const counts = new DecayingCounts(DecayingCounts.allocate(slots), period);
    const key = { high: 7, low: 0 };
    counts.add(key, "bad", start);
    expect(badIn(counts.of(key, start - period))).toBe(1);
    expect(badIn(counts.of(key, start - 100 * period))).toBe(0);
  });
});
