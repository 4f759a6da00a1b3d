import { expect, test } from "vitest";
import { ProcessorTurns } from "./processor-turns.ts";

test("a relay goes before other programs, except while it uses most of a core", () => {
  const thread = new TestThread();
  const turns = new ProcessorTurns(thread);
  expect(thread.isRealTime).toBe(true);

  thread.pass(100, 70);
  turns.check();
  expect(thread.isRealTime).toBe(true);

  thread.pass(100, 90);
  turns.check();
  expect(thread.isRealTime).toBe(false);
  expect(thread.sliceMs).toBe(0.1);

  thread.pass(100, 70);
  turns.check();
  expect(thread.isRealTime).toBe(false);

  thread.pass(100, 50);
  turns.check();
  expect(thread.isRealTime).toBe(true);
});

test("a relay that is not permitted this has short turns and does not ask again", () => {
  const thread = new TestThread(false);
  const turns = new ProcessorTurns(thread);
  thread.pass(100, 5);
  turns.check();
  expect(thread.asked).toBe(1);
  expect(thread.sliceMs).toBe(0.1);
});

class TestThread {
  isRealTime = false;
  sliceMs = 0;
  asked = 0;
  #ms = 0;
  #usedMs = 0;
  readonly #isPermitted: boolean;

  constructor(isPermitted = true) {
    this.#isPermitted = isPermitted;
  }

  pass(ms: number, usedMs: number): void {
    this.#ms += ms;
    this.#usedMs += usedMs;
  }

  readonly nowMs = (): number => this.#ms;
  readonly usedMicroseconds = (): number => this.#usedMs * 1_000;
  readonly setTimeSlice = (ms: number): void => void (this.sliceMs = ms);

  readonly setRealTime = (isRealTime: boolean): boolean => {
    this.asked++;
    if (this.#isPermitted) this.isRealTime = isRealTime;
    return this.#isPermitted;
  };
}
