import { expect, test } from "vitest";
import { formatUuid, unprovenUuid } from "./uuid.ts";

test("a player without a proven account has a UUID of version 8, made of the name", () => {
  expect(formatUuid(unprovenUuid("Steve"))).toBe("53746576-6500-8000-8000-000000000000");
  expect(formatUuid(unprovenUuid("a_name_of_16byte"))).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test("players with different names have different UUIDs, and a longer name is cut", () => {
  expect(unprovenUuid("Steve")).not.toEqual(unprovenUuid("Alex"));
  expect(unprovenUuid("Стив".repeat(40))).toHaveLength(16);
});
