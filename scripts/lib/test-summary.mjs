/** `(needs root)` in the name of a test or suite gives the reason of a skip; so does skip("why"). */
const REASON_IN_NAME = /\(needs [^)]+\)/;

/**
 * Counts a run. Everything that could hide a test that did not run counts as failed.
 *
 * @returns counts, and a line for each skip and for each failure vitest has no test for
 */
export function summarize(modules, unhandledErrors) {
  const summary = { passed: 0, failed: 0, skipped: 0, notes: [] };
  const fail = (note) => {
    summary.failed += 1;
    summary.notes.push(`FAILED: ${note}`);
  };
  for (const module of modules) {
    if (module.errors > 0) fail(`${module.name} does not load or its hooks fail`);
    for (const suite of module.suitesWithErrors) fail(`hooks of ${module.name} > ${suite}`);
    for (const test of module.tests) countTest(module.name, test, summary, fail);
  }
  if (unhandledErrors > 0) fail(`${unhandledErrors} errors outside of tests`);
  if (summary.passed + summary.failed === 0) fail("no test ran");
  return summary;
}

function countTest(moduleName, { name, state, note }, summary, fail) {
  const reason = note ?? REASON_IN_NAME.exec(name)?.[0].slice(1, -1);
  const title = `${moduleName} > ${name}`;
  if (state === "passed") summary.passed += 1;
  else if (state === "failed") summary.failed += 1;
  else if (state === "skipped" && reason) {
    summary.skipped += 1;
    summary.notes.push(`skipped: ${title}: ${reason}`);
  } else fail(`${title} did not run (${state}) and gives no reason`);
}
