import { expect, test } from "vitest";
import { runCrowd } from "./crowd.ts";

test("a crowd runs every job once, and no more at once than it may", async () => {
  let [running, most] = [0, 0];
  const done: number[] = [];
  const jobs = Array.from({ length: 30 }, (_, n) => async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    done.push(n);
  });
  await runCrowd(jobs, { atOnce: 4, perSecond: 1_000_000 });
  expect(done).toHaveLength(30);
  expect(new Set(done).size).toBe(30);
  expect(most).toBe(4);
});
