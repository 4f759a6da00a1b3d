import { expect, test } from "vitest";
import { JoinPause } from "./join-pause.ts";

function pauseAt(): { pause: JoinPause; after: (ms: number, joins: number) => number } {
  let nowMs = 1_000;
  const pause = new JoinPause(() => nowMs);
  return {
    pause,
    after: (ms, joins) => {
      for (let count = 0; count < joins; count++) pause.joined();
      nowMs += ms;
      return pause.beforeWait();
    },
  };
}

test("players of a busy evening wait for nothing", () => {
  const { after } = pauseAt();
  for (let second = 0; second < 5; second++) expect(after(1_000, 1_000)).toBe(0);
});

test("events of a flood of joins gather for less than a millisecond", () => {
  const { after } = pauseAt();
  const pauseMs = after(10, 90);
  expect(pauseMs).toBeGreaterThan(0);
  expect(pauseMs).toBeLessThan(1);
  expect(after(0.3, 3)).toBe(pauseMs);
});

test("nothing is held up any more once a flood is over", () => {
  const { after } = pauseAt();
  expect(after(10, 90)).toBeGreaterThan(0);
  expect(after(10, 0)).toBe(0);
});

test("a few players at once are no flood", () => {
  const { after } = pauseAt();
  expect(after(1, 9)).toBe(0);
  expect(after(9, 0)).toBe(0);
});
