import { expect, test } from "vitest";
import { createSemaphore } from "./semaphore.ts";

test("so many at a time, the others in their order, whether work succeeds or fails", async () => {
  const semaphore = createSemaphore(2);
  const releases: (() => void)[] = [];
  const started: number[] = [];
  const jobs = [0, 1, 2, 3].map((job) =>
    semaphore.run(async () => {
      started.push(job);
      await new Promise<void>((resolve) => releases.push(resolve));
      if (job === 0) throw new Error("failed");
      return job;
    }),
  );
  const [first, ...others] = jobs;
  expect(started).toEqual([0, 1]);
  releases[0]?.();
  await expect(first).rejects.toThrow("failed");
  expect(started).toEqual([0, 1, 2]);
  while (started.length < 4 || releases.length < 4) {
    for (const release of releases) release();
    await Promise.resolve();
  }
  for (const release of releases) release();
  expect(await Promise.all(others)).toEqual([1, 2, 3]);
  expect(await semaphore.run(async () => "free again")).toBe("free again");
});
