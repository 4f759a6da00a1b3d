import { expect, test } from "vitest";
import { StatusCache } from "./status-cache.ts";
import { createStatusSlot } from "#src/shields/status-slot.ts";

const host = "play.example.org";

test("the least recently filled answers give way to new ones, by bytes", () => {
  const cache = new StatusCache({ bytesMax: 250 });
  const slot = createStatusSlot("a");
  for (const protocol of [1, 2, 3]) {
    cache.fill(cache.entry(slot, host, protocol, 0), Buffer.alloc(100), 0, 1_000);
    expect(cache.bytes).toBeLessThanOrEqual(250);
  }
  expect(cache.entry(slot, host, 1, 0).frame).toBeUndefined();
  expect(cache.entry(slot, host, 3, 0).frame).toHaveLength(100);
  expect(cache.bytes).toBe(200);
});

test("entries without an answer are bounded too, those being fetched stay", () => {
  const cache = new StatusCache({ entriesMax: 10 });
  const slot = createStatusSlot("a");
  const fetching = cache.entry(slot, host, -1, 0);
  fetching.fetching = new Promise(() => undefined);
  for (let n = 0; n < 100; n++) cache.entry(slot, `${n}.example.org`, n, 0);
  expect(cache.size).toBe(10);
  expect(cache.entry(slot, host, -1, 0)).toBe(fetching);
});

test("an answer taken away, twice too, gives its memory back once", () => {
  const cache = new StatusCache();
  const entry = cache.entry(createStatusSlot("a"), host, 47, 0);
  cache.fill(entry, Buffer.alloc(10), 0, 1_000);
  cache.fill(entry, Buffer.alloc(20), 0, 1_000);
  expect(cache.bytes).toBe(20);
  cache.clear(entry);
  cache.clear(entry);
  expect(cache.bytes).toBe(0);
});

test("a shield with many names takes room from itself only", () => {
  const cache = new StatusCache({ bytesMax: 1_000, shieldBytesMax: 300, shieldEntriesMax: 8 });
  const victim = createStatusSlot("a");
  cache.fill(cache.entry(victim, host, 47, 0), Buffer.alloc(100), 0, 1_000);
  const greedy = [createStatusSlot("b"), createStatusSlot("b")];
  for (let n = 0; n < 100; n++) {
    for (const slot of greedy) {
      cache.fill(cache.entry(slot, `${n}.example.org`, 47, 0), Buffer.alloc(50), 0, 1_000);
    }
  }
  expect(cache.entry(victim, host, 47, 0).frame).toHaveLength(100);
  expect(cache.bytes).toBe(400);
  for (let n = 0; n < 100; n++) cache.entry(greedy[0] ?? victim, `${n}.example.org`, 340, 0);
  expect(cache.size).toBe(9);
  expect(cache.entry(victim, host, 47, 0).frame).toHaveLength(100);
});

test("nothing is left of names that made room", () => {
  const cache = new StatusCache({ shieldEntriesMax: 2 });
  const slot = createStatusSlot("a");
  for (let n = 0; n < 10; n++) cache.entry(slot, `${n}.example.org`, 47, 0);
  expect([...slot.hosts.keys()]).toEqual(["8.example.org", "9.example.org"]);
  cache.sweep(0);
  expect(slot.hosts.size).toBe(0);
});

test("an answer that comes late for an entry that gave way takes no other's place", () => {
  const cache = new StatusCache();
  const slot = createStatusSlot("a");
  const late = cache.entry(slot, host, 47, 0);
  cache.forget(slot);
  const live = cache.entry(slot, host, 47, 0);
  cache.fill(live, Buffer.from("live"), 0, 1_000);
  cache.fill(late, Buffer.from("late"), 0, 1_000);
  expect(cache.entry(slot, host, 47, 0)).toBe(live);
  expect(cache.bytes).toBe(4);
});

test("an answer is removed once it is useless, each at its own age", () => {
  const cache = new StatusCache();
  const slot = createStatusSlot("a");
  cache.fill(cache.entry(slot, host, 47, 0), Buffer.alloc(10), 0, 1_000);
  cache.fill(cache.entry(slot, host, 340, 0), Buffer.alloc(10), 0, 5_000);
  cache.sweep(1_001);
  expect(cache.bytes).toBe(10);
  cache.sweep(5_001);
  expect([cache.bytes, cache.size, slot.hosts.size]).toEqual([0, 0, 0]);
});
