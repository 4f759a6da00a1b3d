import { expect, test } from "vitest";
import { refusalsOf } from "./refusals.ts";

const joins = [1, null];

test("the most frequent reasons stand alone, and the others are one", () => {
  const amounts = { rate: 90, full: 3, bot_check: 80, packet_size: 2, offline: 0 };
  const refused = Object.fromEntries(
    Object.entries(amounts).map(([reason, amount]) => [reason, [amount, null]]),
  );
  const { named, others } = refusalsOf({ refused, joins }, { refused: amounts }, 2);
  expect(named.map(({ reason, total }) => [reason, total])).toEqual([
    ["rate", 90],
    ["bot_check", 80],
  ]);
  expect(others).toEqual({ values: [5, null], total: 5 });
});

test("a reason without values at these times is zero where edges have reported", () => {
  const { named, others } = refusalsOf({ refused: {}, joins }, { refused: { vpn: 1 } }, 2);
  expect(named).toEqual([{ reason: "vpn", values: [0, null], total: 1 }]);
  expect(others).toBeNull();
});
