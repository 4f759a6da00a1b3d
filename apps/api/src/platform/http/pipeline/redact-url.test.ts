import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactUrl } from "./redact-url.ts";
import { newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";

describe("redactUrl", () => {
  test.each([
    ["/api/v1/auth/verify-email-code", [], "/api/v1/auth/verify-email-code"],
    [
      "/api/v1/servers/01890000-0000-7000-8000-000000000000/firewall",
      [],
      "/api/v1/servers/01890000-0000-7000-8000-000000000000/firewall",
    ],
    [
      "/api/v1/servers?page=2&status=active",
      ["page", "status"],
      "/api/v1/servers?page=2&status=active",
    ],
    ["/api/v1/servers?page=2&token=abc", ["page"], "/api/v1/servers?page=2&[redacted]"],
    ["/api/v1/webhooks/Zm9vYmFyYmF6/accept", [], "/api/v1/webhooks/[redacted]/accept"],
    ["/a?b?c", [], "/a?[redacted]"],
  ])("%s with %j reads %s", (url, names, expected) => {
    expect(redactUrl(url, names)).toBe(expected);
  });

  test("no token of ours survives, wherever it is pasted", () => {
    const token = fc.constantFrom(...Object.values(tokenPrefixes)).map(newToken);
    fc.assert(
      fc.property(token, fc.webPath(), fc.constantFrom("page", "q", ""), (secret, path, name) => {
        for (const url of [
          `${path}/${secret}`,
          `/${secret}${path}`,
          `${path}?${name}=${secret}`,
          `${path}?${secret}`,
          `${path}?a=1&${secret}=${name}`,
        ]) {
          expect(redactUrl(url, ["page"])).not.toContain(secret);
        }
      }),
    );
  });
});
