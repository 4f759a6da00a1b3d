import { expect, test } from "vitest";
import { threadHeapMb } from "./thread-heap.ts";

const gigabyte = 2 ** 30;

test("threads share half of the memory, also of a small machine", () => {
  expect(threadHeapMb(2, 64 * gigabyte)).toBe(4_096);
  expect(threadHeapMb(2, 2 * gigabyte)).toBe(512);
  expect(threadHeapMb(4, 2 * gigabyte)).toBe(256);
  expect(threadHeapMb(8, gigabyte)).toBe(64);
  expect(threadHeapMb(8, gigabyte / 2)).toBe(64);
});
