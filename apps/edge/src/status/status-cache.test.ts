import { expect, test } from "vitest";
import { StatusCache } from "./status-cache.ts";
import { createStatusSlot } from "./status-slot.ts";

const host = "play.example.org";

test("the least recently filled answers give way to new ones, by bytes", () => {
  const cache = new StatusCache({ bytesMax: 250 });
  const slot = createStatusSlot();
  for (const protocol of [1, 2, 3]) {
    cache.fill(cache.entry(slot, host, protocol, 0), Buffer.alloc(100), 0);
    expect(cache.bytes).toBeLessThanOrEqual(250);
  }
  expect(cache.entry(slot, host, 1, 0).frame).toBeUndefined();
  expect(cache.entry(slot, host, 3, 0).frame).toHaveLength(100);
  expect(cache.bytes).toBe(200);
});

test("entries without an answer are bounded too, those being fetched stay", () => {
  const cache = new StatusCache({ entriesMax: 10 });
  const slot = createStatusSlot();
  const fetching = cache.entry(slot, host, -1, 0);
  fetching.fetching = new Promise(() => undefined);
  for (let n = 0; n < 100; n++) cache.entry(slot, `${n}.example.org`, n, 0);
  expect(cache.size).toBe(10);
  expect(cache.entry(slot, host, -1, 0)).toBe(fetching);
});

test("an answer taken away, twice too, gives its memory back once", () => {
  const cache = new StatusCache();
  const entry = cache.entry(createStatusSlot(), host, 47, 0);
  cache.fill(entry, Buffer.alloc(10), 0);
  cache.fill(entry, Buffer.alloc(20), 0);
  expect(cache.bytes).toBe(20);
  cache.clear(entry);
  cache.clear(entry);
  expect(cache.bytes).toBe(0);
});
