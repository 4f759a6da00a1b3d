import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { childrenOf, cpuUsOf, cpuUsOfTree, rssBytesOf, rssBytesOfTree } from "./process-stats.ts";
import { until } from "./until.ts";

describe("a tree of processes", () => {
  test("is counted with children of children, and with those that have ended", async () => {
    const work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    // Each process waits for a child, until its input ends.
    const parent = spawn("sh", ["-c", `sh -c '${work}'; sh -c 'cat; :'; :`]);
    const { pid = 0 } = parent;
    try {
      await until(() => childrenOf(pid).flatMap(childrenOf).length === 1);
      const [child = 0] = childrenOf(pid);
      expect(rssBytesOfTree(pid)).toBeGreaterThan(rssBytesOf(pid) + rssBytesOf(child));
      expect(cpuUsOfTree(pid)).toBeGreaterThan(cpuUsOf(pid) + cpuUsOfTree(child));
    } finally {
      parent.stdin.end();
    }
  });

  test("that is gone cannot be read", () => {
    expect(() => cpuUsOfTree(2 ** 22 + 1)).toThrow("ENOENT");
  });
});
