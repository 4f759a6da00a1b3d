import { expect, test } from "vitest";
import { runHandOver } from "#src/testing/hand-over-run.ts";

test("300 streams arrive whole over two hand-overs in their middle, with and without half-close", async () => {
  expect(await runHandOver(300, 100_000)).toEqual({ broken: [], adopted: 300 });
}, 60_000);
