import { PassThrough } from "node:stream";
import { streamLine } from "@palisade/contract/edge/stream";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { createNdjsonWriter } from "#src/platform/http/ndjson-writer.ts";
import { deltaLine, shieldLine } from "./stream-lines.ts";

const row = {
  shield_id: "0198a6e0-0000-7000-8000-000000000001",
  revision: 3,
  config: '{"schema":1}',
};

test("lines are those of the contract, id and revision first", () => {
  const shield = shieldLine(9, row);
  expect(streamLine.parse(JSON.parse(shield))).toEqual({
    kind: "shield",
    version: 9,
    record: { shield_id: row.shield_id, revision: 3, config: { schema: 1 } },
  });
  expect(shield.indexOf("shield_id")).toBeLessThan(shield.indexOf("config"));
  const delta = deltaLine({ version: 9, since: 4, shields: [row], removed: [row.shield_id] });
  expect(streamLine.parse(JSON.parse(delta))).toMatchObject({
    kind: "delta",
    since: 4,
    shields: [{ revision: 3 }],
    removed: [row.shield_id],
  });
});

test("a write waits for its reader and goes on when there is room", async () => {
  const output = new PassThrough({ highWaterMark: 16 });
  const writer = createNdjsonWriter(output, 20_000);
  let isWritten = false;
  const writing = writer.write("x".repeat(100)).then(() => {
    isWritten = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isWritten).toBe(false);
  output.resume();
  await writing;
  await writer.write("y");
});

test("a reader that takes nothing is cut off, and no more than one write is held for it", async () => {
  const output = new PassThrough({ highWaterMark: 16 });
  const writer = createNdjsonWriter(output, 20);
  await expect(writer.write("x".repeat(100))).rejects.toThrow("stalled");
  expect(output.destroyed).toBe(true);
  await expect(writer.write("y")).rejects.toThrow("gone");
});

test("a reader that leaves ends the write at once", async () => {
  const output = new PassThrough({ highWaterMark: 16 });
  const writer = createNdjsonWriter(output, 60_000);
  const writing = writer.write("x".repeat(100));
  output.destroy();
  await expect(writing).rejects.toThrow("gone");
  await until(() => output.listenerCount("drain") === 0);
});
