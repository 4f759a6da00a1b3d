import { writeFileSync } from "node:fs";
import { summarize } from "./test-summary.mjs";

const SAY_EVERY_MS = 30_000;

/** Vitest reporter: writes the counts for scripts/test.mjs and names tests that take long. */
export default class SummaryReporter {
  #running = new Map();
  #timer;

  onTestRunStart() {
    this.#timer = setInterval(() => this.#sayRunning(), SAY_EVERY_MS);
    this.#timer.unref();
  }

  onTestCaseReady(test) {
    this.#running.set(test.id, { name: test.fullName, since: Date.now() });
  }

  onTestCaseResult(test) {
    this.#running.delete(test.id);
  }

  /** A test whose file has ended, by a crash or a time limit too, has no result and no longer runs. */
  onTestModuleEnd(module) {
    for (const test of module.children.allTests()) this.#running.delete(test.id);
  }

  onTestRunEnd(testModules, unhandledErrors) {
    clearInterval(this.#timer);
    const file = process.env["PALISADE_TEST_RESULT"];
    if (file === undefined) return;
    const modules = testModules.map((module) => ({
      name: module.relativeModuleId,
      errors: module.errors().length,
      tests: [...module.children.allTests()].map((test) => {
        const { state, note } = test.result();
        return { name: test.fullName, state, note };
      }),
      suitesWithErrors: [...module.children.allSuites()]
        .filter((suite) => suite.errors().length > 0)
        .map((suite) => suite.fullName),
    }));
    writeFileSync(file, JSON.stringify(summarize(modules, unhandledErrors.length)));
  }

  #sayRunning() {
    for (const { name, since } of this.#running.values()) {
      const seconds = Math.round((Date.now() - since) / 1_000);
      if (seconds * 1_000 >= SAY_EVERY_MS) {
        process.stdout.write(`· still running after ${seconds} s: ${name}\n`);
      }
    }
  }
}
