import { expect, test } from "vitest";
import { byFrequency } from "./by-frequency.ts";

test("the most frequent reason comes first; reasons without a refusal are left out", () => {
  expect(byFrequency({ vpn: 12, bot_name: 340, rate: 0 })).toEqual([
    { reason: "bot_name", amount: 340 },
    { reason: "vpn", amount: 12 },
  ]);
});
