import { expect, test } from "vitest";
import { testShield } from "#src/testing/test-edge.ts";
import { ShieldBroadcast } from "./shield-broadcast.ts";
import type { ShieldChange } from "./thread-messages.ts";

/** A worker as far as it has taken what it was sent. */
class Taker {
  readonly shields = new Map<string, number>();

  take({ text }: { readonly text: string }): void {
    // Made by the broadcast.
    for (const change of JSON.parse(text) as ShieldChange[]) {
      if ("remove" in change) this.shields.delete(change.remove);
      else this.shields.set(change.apply.shield_id, change.apply.revision);
    }
  }
}

/** So large that two of them fill a batch. */
function shield(n: number, revision: number) {
  const shield_id = `0190a000-0000-7000-8000-${String(n).padStart(12, "0")}`;
  return testShield({ shield_id, revision, label: "x".repeat(600_000) });
}

test("a worker that starts later takes one part after the other, and every change between them", () => {
  const early = new Taker();
  const late = new Taker();
  const takers = [early];
  const broadcast = new ShieldBroadcast((changes) =>
    takers.forEach((taker) => taker.take(changes)),
  );
  for (let n = 1; n <= 5; n++) broadcast.apply(shield(n, 1));
  const parts = broadcast.whole();
  takers.push(late);
  let part = parts.next();
  const { number } = broadcast;
  let count = 0;
  while (part.done !== true) {
    expect(part.value.number).toBe(0);
    late.take(part.value);
    if (count++ === 0) {
      // Changes of shields that it has, and of others.
      broadcast.apply(shield(1, 2));
      broadcast.apply(shield(5, 2));
      broadcast.remove(shield(4, 1).shield_id);
      broadcast.apply(shield(6, 1));
      broadcast.flush();
    }
    part = parts.next();
  }
  expect(count).toBeGreaterThan(2);
  expect(part.value).toBe(number);
  expect(Object.fromEntries(late.shields)).toEqual(Object.fromEntries(early.shields));
  expect([...late.shields.values()].toSorted((a, b) => a - b)).toEqual([1, 1, 1, 2, 2]);
});
