import { expect, test } from "vitest";
import { runThreads } from "#src/testing/threads.ts";
import { createThreadClock } from "./thread-clock.ts";

test("a moment is the same in every thread, and no thread's clock is set back", async () => {
  const clock = createThreadClock();
  // Each reads once the one before it has written down what it has read.
  const { told, workers } = await runThreads<number[]>(
    3,
    `
      const { createThreadClock } = await load("front/thread-clock.ts");
      const clock = createThreadClock();
      const turn = new Int32Array(data.turn);
      const readings = [];
      gate();
      for (let round = 0; round < 50; round++) {
        for (let at = Atomics.load(turn, 0); at !== round * threads + thread; ) {
          Atomics.wait(turn, 0, at);
          at = Atomics.load(turn, 0);
        }
        readings.push(clock());
        Atomics.add(turn, 0, 1);
        Atomics.notify(turn, 0);
      }
      tell(readings);
    `,
    { turn: new SharedArrayBuffer(4) },
  );
  const inOrder = Array.from({ length: 150 }, (_, n) => told[n % 3]?.[Math.floor(n / 3)] ?? 0);
  const backMs = inOrder.map((ms, n) => (inOrder[n - 1] ?? 0) - ms);
  // What one reading of the clock takes is as exact as it can be said.
  expect(Math.max(...backMs)).toBeLessThan(1);
  expect(clock()).toBeGreaterThan((inOrder.at(-1) ?? Number.POSITIVE_INFINITY) - 1);
  await Promise.all(workers.map((worker) => worker.terminate()));
});
