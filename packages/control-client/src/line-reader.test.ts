import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLines, type RawLine } from "./line-reader.ts";
import { parseLine } from "./stream-line-parser.ts";

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    yield bytes.subarray(start, cut);
    start = Math.max(start, cut);
  }
  yield bytes.subarray(start);
}

async function linesOf(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<RawLine[]> {
  const lines: RawLine[] = [];
  for await (const line of readLines(chunks, bytesMax)) lines.push(line);
  return lines;
}

describe("lines of the stream", () => {
  test("arrive whole whatever the split positions, multi-byte characters included", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), { maxLength: 8 }),
        fc.array(fc.nat(500), { maxLength: 12 }),
        async (texts, cuts) => {
          const expected = texts.filter((text) => text.trim() !== "" && !text.includes("\n"));
          const bytes = new TextEncoder().encode(expected.map((text) => `${text}\n`).join(""));
          const inside = cuts.map((cut) => Math.min(cut, bytes.length));
          const lines = await linesOf(chunksOf(bytes, inside), 1_000);
          expect(lines).toEqual(expected.map((text) => ({ kind: "line", text })));
        },
      ),
    );
  });

  test("longer than the cap are skipped, and the next one arrives", async () => {
    const long = `{"kind":"shield","rest":"${"x".repeat(5_000)}"}`;
    const bytes = new TextEncoder().encode(`first\n${long}\nlast\n`);
    for (const size of [1, 7, 100, 10_000]) {
      const cuts = Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => i * size);
      const lines = await linesOf(chunksOf(bytes, cuts), 200);
      expect(lines.map((line) => line.kind)).toEqual(["line", "oversized", "line"]);
      const [, oversized] = lines;
      expect(oversized?.kind === "oversized" && oversized.prefix.length <= 1024).toBe(true);
    }
  });

  test("cut short by the end of the connection are dropped", async () => {
    const bytes = new TextEncoder().encode('whole\n{"half');
    expect(await linesOf(chunksOf(bytes, []), 100)).toEqual([{ kind: "line", text: "whole" }]);
  });

  test("any content is parsed without throwing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(["broken", "unknown", "skipped"]).toContain(parseLine({ kind: "line", text }).kind);
      }),
    );
    expect(parseLine({ kind: "line", text: '{"kind":"from-the-future"}' }).kind).toBe("unknown");
  });
});
