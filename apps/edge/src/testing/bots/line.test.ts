import { setImmediate } from "node:timers/promises";
import { seededRandom } from "@palisade/testing/seeded-random";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { SlowLine } from "./line.ts";

const options = {
  random: seededRandom(1),
  jitterMs: { least: 0, most: 20 },
  lostOneIn: 3,
  pauseMs: { least: 1, most: 5 },
};

test("a slow line keeps the order of what it carries", async () => {
  const line = new SlowLine(options);
  const arrived: number[] = [];
  for (let n = 0; n < 40; n++) line.carry(() => void arrived.push(n));
  expect(arrived).toEqual([]);
  await until(() => arrived.length === 40, { everyMs: 2 });
  expect(arrived).toEqual(Array.from({ length: 40 }, (_, n) => n));
});

test("bytes on a line that is cut never arrive", async () => {
  const line = new SlowLine({ ...options, jitterMs: { least: 0, most: 0 }, lostOneIn: 1_000_000 });
  const arrived: string[] = [];
  line.carry(() => void arrived.push("before"));
  await until(() => arrived.length === 1, { everyMs: 1 });
  line.carry(() => void arrived.push("cut"));
  line.cut();
  line.carry(() => void arrived.push("after"));
  await setImmediate();
  expect(arrived).toEqual(["before"]);
});
