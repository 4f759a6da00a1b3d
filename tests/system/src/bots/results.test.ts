import { expect, test } from "vitest";
import { type BotResult, faultsOf } from "./results.ts";

const result = (change: Partial<BotResult>): BotResult => ({
  level: "high",
  kind: "silent",
  tried: 10,
  inside: 0,
  details: "",
  ...change,
});

test("bots without physics at High, and all but solvers at Extreme, are faults when they get in", () => {
  const kinds = ["keep-alive", "mineflayer without physics", "game", "mineflayer", "solver"];
  const faults = (level: BotResult["level"]): number =>
    faultsOf(kinds.map((kind) => result({ level, kind, inside: 1 }))).length;
  expect([faults("low"), faults("medium"), faults("high"), faults("extreme")]).toEqual([
    0, 0, 2, 4,
  ]);
});

test("none that got in is no fault, and none that tried is one", () => {
  expect(faultsOf([result({}), result({ tried: 0 })])).toEqual(["high: no silent has tried"]);
});
