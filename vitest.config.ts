import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./scripts/lib/long-first.ts";

/** A core of its own is left free where there are many; on two, three files keep both busy. */
const parallel = { maxWorkers: Math.max(3, availableParallelism() - 1) };

const shared = {
  // The tests start processes and listen; they wait for conditions, so a slow machine needs room.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Worker threads share a process: signals and the end of children need one of their own.
  pool: "forks" as const,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...shared,
          ...parallel,
          name: "unit",
          include: [
            "packages/**/*.test.ts",
            "apps/{edge,dns,supervisor}/**/*.test.ts",
            "apps/console/**/*.test.{ts,tsx}",
            "scripts/**/*.test.mjs",
            "bench/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          ...shared,
          ...parallel,
          name: "api",
          // Each file makes an app and a database of its own; what they are made of is loaded once.
          isolate: false,
          include: ["apps/api/**/*.test.ts"],
          globalSetup: ["packages/testing/src/vitest-global-setup.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "system",
          isolate: false,
          include: ["tests/system/**/*.test.ts"],
          globalSetup: ["tests/system/src/product/vitest-global-setup.ts"],
          // Each file runs the whole product and a browser, and often waits for them: four at a
          // time keep two cores busy, after everything else.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
