import { expect, test } from "vitest";
import { keepToken, useKeptToken } from "./confirm-token.ts";

test.each(["", "#", "#token=", "#other=1"])("%j holds no token", (hash) => {
  expect(keepToken(hash)).toBe(false);
  expect(useKeptToken.getState().token).toBeNull();
});

test.each(["#token=abc-DEF_123", "token=abc-DEF_123"])("the token of %s is kept", (hash) => {
  expect(keepToken(hash)).toBe(true);
  expect(useKeptToken.getState().token).toBe("abc-DEF_123");
});
