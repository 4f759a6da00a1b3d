import { expect, test } from "vitest";
import { topFunctions } from "./top-functions.ts";

const frame = (functionName: string) => ({ functionName, url: "", lineNumber: 0 });

test("self time is a function's own, total time includes its callees once, idle time counts for no function", () => {
  const top = topFunctions(
    {
      nodes: [
        { id: 1, callFrame: frame("root"), children: [2, 5] },
        { id: 2, callFrame: frame("outer"), children: [3] },
        { id: 3, callFrame: frame("inner"), children: [4] },
        // A recursive call.
        { id: 4, callFrame: frame("inner") },
        { id: 5, callFrame: frame("(idle)") },
      ],
      samples: [2, 3, 4, 5],
      timeDeltas: [10, 20, 10, 1_000],
    },
    2,
  );
  expect(top).toEqual([
    { name: "inner", self: 0.75, total: 0.75 },
    { name: "outer", self: 0.25, total: 1 },
  ]);
});
