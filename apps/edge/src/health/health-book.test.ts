import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { BackendHealth } from "#src/routing/backend-health.ts";
import { SharedLoads } from "#src/routing/shared-loads.ts";
import { type Backend, compileShield } from "#src/shields/compiled-shield.ts";
import { backendsOf } from "#src/shields/shield-views.ts";
import { ShieldTally } from "#src/telemetry/shield-tally.ts";
import { HealthBook, repeatAfterMaxMs, repeatAfterMs } from "./health-book.ts";

function createBook() {
  const clock = { ms: 0 };
  const monotonicMs = (): number => clock.ms;
  return { clock, book: new HealthBook({ nowMs: monotonicMs, monotonicMs }) };
}

/** A backend before and after its owner has corrected its address. */
function corrected(): [Backend, Backend] {
  const config = (port: number) => sampleShield({ groups: [sampleGroup(sampleBackend(port, 1))] });
  const tally = new ShieldTally(config(1).shield_id);
  const before = compileShield(config(1), tally, undefined);
  if (!before.ok) throw new Error(before.reason);
  const after = compileShield(config(2), tally, before.shield);
  if (!after.ok) throw new Error(after.reason);
  const [old] = backendsOf(before.shield.groups);
  const [now] = backendsOf(after.shield.groups);
  if (old === undefined || now === undefined) throw new Error("no backend");
  return [old, now];
}

describe("health book", () => {
  test.each(["replaced", "removed"])(
    "outcomes of a %s backend that come late count no more",
    (how) => {
      const { clock, book } = createBook();
      const [old, now] = corrected();
      book.watch(old);
      book.failed(old, "timeout");
      if (how === "replaced") book.watch(now);
      book.forget(old);
      if (how === "replaced") book.succeeded(now, 1);
      book.drain();
      clock.ms = 1_000;
      book.failed(old, "timeout");
      book.succeeded(old);
      for (let n = 0; n < 3; n++) old.load.joined();
      book.playersChanged(old);
      const seen = [];
      for (; clock.ms < 2 * repeatAfterMaxMs; clock.ms += 10_000) seen.push(...book.drain());
      const isReplaced = how === "replaced";
      expect([...book.counts()]).toEqual(isReplaced ? [["up", 1]] : []);
      expect(seen.some(({ players, state }) => players === 3 && state === "up")).toBe(isReplaced);
      expect(seen.every(({ state }) => state === "up")).toBe(true);
    },
  );

  test("what is told of anyhow is not repeated, and many are repeated more rarely", () => {
    const told = (count: number): number => {
      const { clock, book } = createBook();
      const [first] = corrected();
      const loads = SharedLoads.alone();
      for (let n = 0; n < count; n++) {
        const load = loads.backend<Backend>(String(n));
        const backend: Backend = { ...first, health: new BackendHealth(), load };
        book.watch(backend);
        book.succeeded(backend);
      }
      book.drain();
      let repeated = 0;
      for (; clock.ms < 2 * repeatAfterMaxMs; clock.ms += 1_000) repeated += book.drain().length;
      return repeated / count;
    };
    expect(told(1)).toBe(Math.ceil((2 * repeatAfterMaxMs) / repeatAfterMs) - 1);
    // 100 in a second: all of them in three minutes.
    expect(told(18_000)).toBeLessThan(2.5);
  });
});
