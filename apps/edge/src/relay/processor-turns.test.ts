import { expect, test } from "vitest";
import { ProcessorTurns } from "./processor-turns.ts";

test("a relay goes before other programs, except while it uses most of a core", () => {
  const thread = new TestThread();
  const turns = new ProcessorTurns(thread);
  expect(thread.isRealTime).toBe(true);

  const pass = (checks: number, usedMs: number): void => {
    for (let check = 0; check < checks; check++) {
      thread.pass(100, usedMs);
      turns.check();
    }
  };
  pass(50, 85);
  expect(thread.isRealTime).toBe(true);

  pass(50, 100);
  expect(thread.isRealTime).toBe(false);
  expect(thread.sliceMs).toBe(0.1);

  pass(50, 75);
  expect(thread.isRealTime).toBe(false);

  pass(50, 65);
  expect(thread.isRealTime).toBe(true);
});

test("packets that come all at once do not make a relay wait for other programs", () => {
  const thread = new TestThread();
  const turns = new ProcessorTurns(thread);
  for (let check = 0; check < 100; check++) {
    thread.pass(100, check % 2 === 0 ? 100 : 50);
    turns.check();
    expect(thread.isRealTime).toBe(true);
  }
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
