import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { describe, expect, test } from "vitest";
import { QuietCollection, threadHeapMb } from "./thread-resources.ts";

const gigabyte = 2 ** 30;

test("threads share half of the memory, also of a small machine", () => {
  expect(threadHeapMb(2, 64 * gigabyte)).toBe(4_096);
  expect(threadHeapMb(2, 2 * gigabyte)).toBe(512);
  expect(threadHeapMb(4, 2 * gigabyte)).toBe(256);
  expect(threadHeapMb(8, gigabyte)).toBe(64);
  expect(threadHeapMb(8, gigabyte / 2)).toBe(64);
});

const module = new URL("thread-resources.ts", import.meta.url).href;
const script = `import os from "node:os"; (await import("${module}")).lowerPriority(); process.stdout.write(String(os.getPriority()))`;

function priorityOf(command: string, ...args: string[]): string {
  const node = [process.execPath, "--input-type=module", "-e", script];
  return execFileSync(command, [...args, ...node], { encoding: "utf8" });
}

test("workers run at a lower priority than relays, and an even lower one is kept", () => {
  // From wherever the tests run.
  const nicer = (by: number): number => Math.min(19, getPriority() + by);
  expect(priorityOf("nice", "-n", "2")).toBe(String(Math.max(5, nicer(2))));
  expect(priorityOf("nice", "-n", "12")).toBe(String(Math.max(5, nicer(12))));
});

describe("garbage of a burst", () => {
  const megabyte = 2 ** 20;

  function collected(oldBytes: readonly number[]): number {
    const [first = 0, ...later] = oldBytes;
    let bytes = first;
    let count = 0;
    const collection = new QuietCollection({
      oldBytes: () => bytes,
      collect: () => {
        count++;
        bytes = first;
      },
    });
    for (const next of later) {
      bytes = next;
      collection.tick();
    }
    return count;
  }

  test("is freed once it is over, and once only", () => {
    expect(collected([10 * megabyte, 14 * megabyte, 18 * megabyte, 18 * megabyte])).toBe(1);
    expect(collected([10 * megabyte, 18 * megabyte, 18 * megabyte, 10 * megabyte])).toBe(1);
  });

  test("is left for ten minutes after that, unless there is much of it", () => {
    const burst = [18 * megabyte, 18 * megabyte, 10 * megabyte];
    expect(collected([10 * megabyte, ...burst, ...burst, ...burst])).toBe(1);
    const quiet = Array.from({ length: 600 }, () => 10 * megabyte);
    expect(collected([10 * megabyte, ...burst, ...quiet, ...burst])).toBe(2);
    const large = [24 * megabyte, 24 * megabyte, 10 * megabyte];
    expect(collected([10 * megabyte, ...burst, ...large])).toBe(2);
  });

  test("holds up no thread that is busy, and none for little", () => {
    expect(collected([10, 11, 12, 13, 14].map((mb) => mb * megabyte))).toBe(0);
    expect(collected([10 * megabyte, 11 * megabyte, 11 * megabyte])).toBe(0);
  });
});
