import { expect, test } from "vitest";
import { runSocketTransfer } from "#src/testing/socket-transfer-run.ts";

test("300 streams arrive whole over two hand-overs in their middle, with and without half-close", async () => {
  expect(await runSocketTransfer(300, 100_000)).toEqual({ broken: [], adopted: 300 });
}, 60_000);
