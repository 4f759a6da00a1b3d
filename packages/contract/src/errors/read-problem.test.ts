import { expect, test } from "vitest";
import { problem } from "./problem.ts";
import { readProblem } from "./read-problem.ts";

const full = {
  type: "https://palisade.example/problems/rate_limited",
  title: "Too many requests",
  status: 429,
  code: "rate_limited",
  message: "Try again in 20 seconds",
  issues: [{ path: "email", code: "email.invalid", message: "Invalid email" }],
  request_id: "018f2c3e",
  retry_after: 20,
};

/** Everything a field may be in place of itself. */
const wrong = [undefined, null, "", "no such code", 1.5, -1, true, [], {}, [null], [{ path: "" }]];

test("a body that fits the schema is read, whatever a server puts in place of a field", () => {
  expect(readProblem(full)).toEqual(full);
  const bodies: unknown[] = [...wrong, [full], "<h1>Bad gateway</h1>"];
  for (const name of [...Object.keys(full), "path"]) {
    for (const value of wrong) bodies.push({ ...full, [name]: value });
    for (const value of wrong)
      bodies.push({ ...full, issues: [{ ...full.issues[0], [name]: value }] });
  }
  const taken = bodies.filter((body) => problem.safeParse(body).success);
  expect(taken.length).toBeGreaterThan(10);
  expect(bodies.filter((body) => readProblem(body) !== null)).toEqual(taken);
});
