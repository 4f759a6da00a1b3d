import { expect, test } from "vitest";
import { blockBytes, OutgoingBytes } from "./outgoing-bytes.ts";

test("a burst of slow peers keeps its bytes apart, and blocks are used again or given back", () => {
  const waiting = Array.from(
    { length: 200 },
    (_, index) => new OutgoingBytes(Buffer.alloc(blockBytes, index)),
  );
  expect(new Set(waiting.map(({ address }) => address)).size).toBe(200);
  const [first] = waiting;
  expect([first?.length, first?.took(blockBytes - 1), first?.length, first?.took(1)]).toEqual([
    blockBytes,
    false,
    1,
    true,
  ]);
  for (const each of waiting) each.release();
  const again = new OutgoingBytes(Buffer.from("again"));
  expect(again.length).toBe(5);
  again.release();
});
