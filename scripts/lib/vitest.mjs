import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { cacheFolder, root } from "./root.mjs";
import { runInFront } from "./run-command.mjs";

/**
 * Runs vitest, then prints every skip with its reason and the closing line
 * `N passed, N failed, N skipped`. A skip without a reason, a file that does not load and an error
 * outside of tests count as failed, and so does a run without tests.
 *
 * @returns the exit code
 */
export async function runVitest(node, args, environment = {}) {
  const resultFile = path.join(cacheFolder, `test-result-${process.pid}.json`);
  mkdirSync(cacheFolder, { recursive: true });
  const code = await runInFront(
    node,
    [
      path.join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      `--reporter=${path.join(root, "scripts/lib/summary-reporter.mjs")}`,
      ...args,
    ],
    {
      cwd: root,
      env: { ...process.env, ...environment, PALISADE_TEST_RESULT: resultFile },
    },
  );
  const summary = readSummary(resultFile);
  rmSync(resultFile, { force: true });
  for (const line of summary.notes) process.stdout.write(`${line}\n`);
  const { passed, failed, skipped } = summary;
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed === 0 && passed > 0 ? code : 1;
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 1, skipped: 0, notes: ["FAILED: vitest ended without a result"] };
  }
}
