import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { expect, test } from "vitest";

const module = new URL("process-priority.ts", import.meta.url).href;
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
