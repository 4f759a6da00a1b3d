import { expect, test } from "vitest";
import { deriveKeys } from "#src/platform/security/derived-key.ts";
import { createDeviceCookie } from "./device-cookie.ts";

const of = (secret: string, ...formerSecrets: string[]) =>
  createDeviceCookie(deriveKeys({ secret, formerSecrets }, "device-cookies"));

test("a device stays known when the secret is rotated, until the former one is taken off the list", () => {
  const token = of("first").newToken();
  const { value } = of("first").cookie(token, 1);
  const caller = { cookie: () => value };
  expect(of("first").read(caller)).toBe(token);
  expect(of("second", "first").read(caller)).toBe(token);
  expect(of("second").read(caller)).toBeUndefined();
  // Written anew at the next login, under the secret of then.
  const renewed = { cookie: () => of("second", "first").cookie(token, 1).value };
  expect(of("second").read(renewed)).toBe(token);
});
