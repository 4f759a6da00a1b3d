import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Test files that take minutes although they are short, or wait most of the time, longest first. Vitest
 * orders files by their last duration; in a fresh clone it orders by size and would run these last.
 */
const slowFiles = [
  "api/src/tenancy.routes",
  "api/src/odd-requests.routes",
  "screens/screens",
  "spec/shield-pages",
  "spec/account-pages",
  "screens/invoices",
  "screens/states",
  "workers/many-threads",
  "relay/relay-pool",
  "dns/src/export-bind",
  "embedded-postgres/src/launcher",
  "payments/killed-apis",
  "renewals/years",
  "money/money",
  "wizard/purchase",
  "money/crash",
  "restarts/restarts",
];

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = slowFiles.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? slowFiles.length : index;
    };
    return bySize.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** With many cores, one is left free; on two cores, three files keep both busy. */
const parallel = { maxWorkers: Math.max(3, availableParallelism() - 1) };

const shared = {
  // The tests start processes and wait for conditions, so a slow machine needs time.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Worker threads share a process, but tests of signals and child processes need their own.
  pool: "forks" as const,
};

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          ...shared,
          ...parallel,
          name: "unit",
          // No file replaces a module: a worker loads what many of them import once.
          isolate: false,
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
          // Each file creates its own app and database; the modules are loaded once.
          isolate: false,
          include: ["apps/api/**/*.test.ts"],
          globalSetup: ["packages/testing/src/vitest-global-setup.ts"],
        },
      },
      {
        test: {
          ...shared,
          ...parallel,
          name: "console",
          // The files of a worker share its browser.
          isolate: false,
          include: ["tests/console/**/*.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "system",
          isolate: false,
          include: ["tests/system/**/*.test.ts"],
          globalSetup: ["tests/system/src/product/vitest-global-setup.ts"],
          // Each file runs the whole product and a browser and often waits, so four parallel files
          // keep two cores busy. They run after all others.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
