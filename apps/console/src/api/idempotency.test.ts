import { describe, expect, test } from "vitest";
import { createIdempotencyKeys } from "./idempotency.ts";

function keys() {
  let last = 0;
  return createIdempotencyKeys(() => `key-${++last}`);
}

describe("idempotency keys", () => {
  test("a submit whose answer was lost is repeated under the same key", () => {
    const { begin } = keys();
    expect(begin({ a: 1 })).toBe("key-1");
    expect(begin({ a: 1 })).toBe("key-1");
  });

  test("another body gets another key", () => {
    const { begin } = keys();
    begin({ a: 1 });
    expect(begin({ a: 2 })).toBe("key-2");
  });

  test("after an answer the same body is a new submit", () => {
    const { begin, settle } = keys();
    begin({ a: 1 });
    settle();
    expect(begin({ a: 1 })).toBe("key-2");
  });
});
