import { afterAll, describe, expect, test, vi } from "vitest";

// The module listens for the end of sessions in other tabs, but a test has no window.
vi.stubGlobal("addEventListener", () => undefined);
const { parseDraft } = await import("./draft.ts");
afterAll(() => vi.unstubAllGlobals());

describe("a stored draft", () => {
  test("comes back as it was typed", () => {
    const draft = { amount: "20", coupon: "WELCOME", method: "paypal" };
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  });

  test.each([null, "", "{", "7", "null", '{"amount":7,"coupon":[],"method":"cash"}'])(
    "%j gives an empty draft",
    (stored) => expect(parseDraft(stored)).toEqual({ amount: "", coupon: "", method: null }),
  );

  test("holds digits only, even if the store was changed", () => {
    expect(parseDraft('{"amount":"1e9"}').amount).toBe("1");
  });
});
