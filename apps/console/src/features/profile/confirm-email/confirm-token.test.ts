import { expect, test } from "vitest";
import { takeLinkToken, useLinkToken } from "./confirm-token.ts";

test.each(["", "#", "#token=", "#other=1"])("%j holds no token", (hash) => {
  expect(takeLinkToken(hash)).toBe(false);
  expect(useLinkToken.getState().token).toBeNull();
});

test.each(["#token=abc-DEF_123", "token=abc-DEF_123"])("the token of %s is taken", (hash) => {
  expect(takeLinkToken(hash)).toBe(true);
  expect(useLinkToken.getState().token).toBe("abc-DEF_123");
});
