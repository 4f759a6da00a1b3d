import { expect, test } from "vitest";
import { runThreads } from "@palisade/testing/threads";
import { threadClockOffset } from "./shared-state.ts";

interface Told {
  readonly readings: number[];
  readonly errorMs: number;
}

test("a moment is the same in every thread, as exactly as one reading of the clock can tell", async () => {
  const own = threadClockOffset();
  // Each reads once the one before it has written down what it has read.
  const { told, workers } = await runThreads<Told>(
    3,
    `
      const { threadClockOffset } = await load("apps/edge/src/workers/shared-state.ts");
      const { offsetMs, errorMs } = threadClockOffset();
      const turn = new Int32Array(data.turn);
      const readings = [];
      gate();
      for (let round = 0; round < 50; round++) {
        for (let at = Atomics.load(turn, 0); at !== round * threads + thread; ) {
          Atomics.wait(turn, 0, at);
          at = Atomics.load(turn, 0);
        }
        readings.push(performance.now() + offsetMs);
        Atomics.add(turn, 0, 1);
        Atomics.notify(turn, 0);
      }
      tell({ readings, errorMs });
    `,
    { turn: new SharedArrayBuffer(4) },
  );
  const inOrder = Array.from(
    { length: 150 },
    (_, n) => told[n % 3]?.readings[Math.floor(n / 3)] ?? 0,
  );
  const backMs = inOrder.map((ms, n) => (inOrder[n - 1] ?? 0) - ms);
  const mostMs = 2 * Math.max(own.errorMs, ...told.map(({ errorMs }) => errorMs));
  // A clock that counts for days has no more digits than this.
  const roundingMs = 0.001;
  expect(Math.max(...backMs)).toBeLessThanOrEqual(mostMs + roundingMs);
  const last = inOrder.at(-1) ?? Number.POSITIVE_INFINITY;
  expect(performance.now() + own.offsetMs).toBeGreaterThanOrEqual(last - mostMs - roundingMs);
  await Promise.all(workers.map((worker) => worker.terminate()));
});
