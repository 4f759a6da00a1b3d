import { afterEach, describe, expect, test, vi } from "vitest";
import { BandwidthShare, BandwidthShares, shareTickMs, ProcessShares } from "./bandwidth-share.ts";
import { blockBytes, smallBlockBytes } from "./outgoing-bytes.ts";

const megabyte = 1_000_000;

function limited(bytesPerSecond: number) {
  const clock = { nowMs: 0 };
  const share = new BandwidthShare(() => clock.nowMs);
  share.limit(bytesPerSecond);
  return { clock, share };
}

/** Reads what is allowed until the direction has to wait. */
function readAll(share: BandwidthShare, isBulk: boolean): number {
  let bytes = 0;
  for (;;) {
    const room = share.allowed(isBulk, blockBytes);
    if (room === 0) return bytes;
    share.tokens -= room;
    bytes += room;
  }
}

function waiter(isBulk: boolean) {
  return {
    isBulk,
    resumed: 0,
    resume() {
      this.resumed++;
    },
  };
}

describe("bandwidth of a shield", () => {
  test("over a minute no more bytes are read than its share, but for the burst at its start", () => {
    const { clock, share } = limited(10 * megabyte);
    let bytes = 0;
    for (; clock.nowMs < 60_000; clock.nowMs += shareTickMs) bytes += readAll(share, true);
    expect(bytes).toBeGreaterThan(599 * megabyte);
    expect(bytes).toBeLessThan(606 * megabyte);
  });

  test("bulk leaves room for small packets, which go on first", () => {
    const { clock, share } = limited(10 * megabyte);
    readAll(share, true);
    expect(share.allowed(true, blockBytes)).toBe(0);
    expect(share.allowed(false, 300)).toBe(300);
    readAll(share, false);
    const bulk = waiter(true);
    const small = waiter(false);
    for (const each of [bulk, small]) share.wait(each);
    clock.nowMs += shareTickMs / 2;
    share.tick();
    expect([small.resumed, bulk.resumed, share.isWaitedFor]).toEqual([1, 0, true]);
    clock.nowMs += shareTickMs;
    share.tick();
    expect([small.resumed, bulk.resumed, share.isWaitedFor]).toEqual([1, 1, false]);
  });

  test("without a limit nothing waits, and one that is lifted lets all go on", () => {
    const { share } = limited(megabyte);
    readAll(share, false);
    const small = waiter(false);
    share.wait(small);
    share.limit(null);
    expect(small.resumed).toBe(1);
    share.tokens -= 1e12;
    expect(share.allowed(true, blockBytes)).toBe(blockBytes);
  });

  test("after the first megabytes of a turn the shield's other bulk gets small pieces", () => {
    const share = new BandwidthShare(() => 0);
    const first = share.bulkRoom(7);
    share.bulkMoved(first);
    expect(share.bulkRoom(7)).toBeLessThan(first / 50);
    expect(share.bulkRoom(8)).toBe(first);
  });

  test("a shield whose peers are slow, or all of whose players send bulk, is read in small pieces", () => {
    const share = new BandwidthShare(() => 0);
    let pipes = 0;
    while (share.takesPipe()) pipes++;
    expect([pipes, share.readMax]).toEqual([64, smallBlockBytes]);
    share.pipeClosed();
    expect(share.readMax).toBe(blockBytes);
    for (let blocks = 0; blocks < 64; blocks++) share.blocksChanged(1);
    expect(share.readMax).toBe(smallBlockBytes);
    share.blocksChanged(-1);
    expect(share.readMax).toBe(blockBytes);
  });
});

describe("bandwidth of a shield whose players come and go", () => {
  afterEach(() => void vi.useRealTimers());

  function shares() {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const clock = { nowMs: 0 };
    const pass = (ms: number): void => {
      clock.nowMs += ms;
      vi.advanceTimersByTime(ms);
    };
    return { all: new BandwidthShares(() => clock.nowMs), pass };
  }

  test("the next player does not get a burst again, also after the limit was taken back, until time has brought one", () => {
    const { all, pass } = shares();
    all.limit("a", megabyte);
    const first = all.enter("a");
    const burst = readAll(first, false);
    all.leave("a");
    expect(readAll(all.enter("a"), false)).toBe(0);
    all.leave("a");
    all.limit("a", null);
    pass(shareTickMs);
    const next = all.enter("a", megabyte);
    expect(readAll(next, false)).toBeLessThan(burst / 5);
    all.leave("a");
    pass(10_000);
    expect(vi.getTimerCount()).toBe(0);
    const last = all.enter("a", megabyte);
    expect([last === first, readAll(last, false)]).toEqual([false, burst]);
  });

  test("the first player has the limit that comes with them, and a later one from the edge replaces it", () => {
    const { all } = shares();
    const share = all.enter("a", megabyte);
    expect(readAll(share, false)).toBeLessThan(megabyte);
    all.limit("b", 2 * megabyte);
    const told = readAll(all.enter("b", megabyte), false);
    expect(told).toBeGreaterThanOrEqual(megabyte);
  });
});

test("a process is told each shield's rate once, anew when it changes, and forgets it with the last player", () => {
  const shares = new ProcessShares();
  let total = 1;
  const rateOf = (_shield: string, players: number): number => (1_000 * players) / total;
  expect([shares.entered("a"), shares.entered("a"), shares.entered("b")]).toEqual([
    true,
    false,
    true,
  ]);
  total = 2;
  expect(shares.changes(rateOf)).toEqual([
    ["a", 1_000],
    ["b", 500],
  ]);
  expect(shares.changes(rateOf)).toEqual([]);
  total = 4;
  shares.left("b");
  expect(shares.changes(rateOf)).toEqual([
    ["a", 500],
    ["b", null],
  ]);
  // Its shield is not here any more: what holds goes on.
  expect(shares.changes(() => undefined)).toEqual([]);
});
