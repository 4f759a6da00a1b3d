import { expect, test } from "vitest";
import { duration } from "./duration.ts";

test.each([
  [-5_000, "0 sec", "0 с"],
  [14_999, "14 sec", "14 с"],
  [60_000, "1 min", "1 мин"],
  [134_000, "2 min 14 sec", "2 мин 14 с"],
  [3_600_000, "1 hr", "1 ч"],
  [3_661_000, "1 hr 1 min", "1 ч 1 мин"],
  [90_000_000, "1 day 1 hr", "1 дн. 1 ч"],
])("%i ms are told in the two largest units", (milliseconds, en, ru) => {
  const plain = (text: string) => text.replaceAll("\u00a0", " ");
  expect([duration("en", milliseconds), duration("ru", milliseconds)].map(plain)).toEqual([en, ru]);
});
