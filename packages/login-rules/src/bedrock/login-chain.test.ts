import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkLogin, defaultLoginKeys, mojangRootKey, type OpenIdService } from "./login-chain.ts";
import { readToken } from "@palisade/minecraft-protocol/bedrock/login/json-web-token";
import { LoginReader } from "@palisade/minecraft-protocol/bedrock/login-reader";
import { recordedLogins } from "@palisade/minecraft-protocol/testing/recorded-logins";
import {
  sampleChain,
  sampleKey,
  sampleKeys,
  signServiceToken,
  signToken,
} from "../testing/sample-logins.ts";

const now = new Date("2026-01-02T03:04:05Z");
const second = now.getTime() / 1_000;
const minutesLater = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const steve = { displayName: "Steve", xuid: "2535400000000000" };
const keys = sampleKeys();
const trusted = { rootKeys: [keys.root.text], service: undefined };
const chain = sampleChain(steve, keys, now);
const check = (tokens: readonly string[], at = now) =>
  checkLogin({ chain: tokens, token: "" }, at, trusted);
const extraData = { displayName: "Steve", XUID: "2535400000000000", identity: "" };

describe("a chain", () => {
  test("that the trusted key has signed is valid and names the player", () => {
    expect(check(chain)).toEqual({ kind: "valid", ...steve });
  });

  test("is invalid where Mojang's key has not signed it", () => {
    expect(checkLogin({ chain, token: "" }, now)).toEqual({
      kind: "invalid",
      why: "untrusted-key",
    });
    expect(defaultLoginKeys.rootKeys).toEqual([mojangRootKey]);
  });

  test("is invalid before and after its time, give or take a minute", () => {
    expect(check(chain, minutesLater(29)).kind).toBe("valid");
    expect(check(chain, minutesLater(30.9)).kind).toBe("valid");
    expect(check(chain, minutesLater(32))).toEqual({ kind: "invalid", why: "expired" });
    expect(check(chain, minutesLater(-32))).toEqual({ kind: "invalid", why: "not-yet-valid" });
  });

  test("without an end is expired", () => {
    const endless = signToken({ extraData }, keys.authority);
    expect(check([chain[0], chain[1], endless])).toEqual({ kind: "invalid", why: "expired" });
  });

  test("does not depend on the player's own clock", () => {
    const claims = { identityPublicKey: keys.root.text, nbf: second + 9_000, exp: second + 9_001 };
    expect(check([signToken(claims, keys.player), chain[1], chain[2]]).kind).toBe("valid");
  });

  test("is invalid where another key has signed any of its tokens", () => {
    const other = { privateKey: sampleKey().privateKey, text: keys.player.text };
    for (const place of [0, 1, 2]) {
      const claims = readToken(chain[place] ?? "")?.claims ?? {};
      const forged = chain.map((token, at) => (at === place ? signToken(claims, other) : token));
      expect(check(forged)).toEqual({ kind: "invalid", why: "bad-signature" });
    }
  });

  test("cannot be made longer by a player who signs another name", () => {
    const fourth = signToken(
      { exp: second + 60, extraData: { ...extraData, displayName: "Owner", XUID: "1" } },
      keys.player,
    );
    expect(check([...chain, fourth])).toEqual({ kind: "invalid", why: "wrong-length" });
    expect(check([chain[1], chain[2], fourth])).toMatchObject({ kind: "invalid" });
  });

  test("is invalid where the middle token gives no right to sign", () => {
    const claims = { exp: second + 60, identityPublicKey: keys.authority.text };
    expect(check([chain[0], signToken(claims, keys.root), chain[2]])).toEqual({
      kind: "invalid",
      why: "untrusted-key",
    });
  });

  test("without an account's number is invalid", () => {
    const claims = { exp: second + 60, extraData: { ...extraData, XUID: "0" } };
    expect(check([chain[0], chain[1], signToken(claims, keys.authority)])).toEqual({
      kind: "invalid",
      why: "no-player",
    });
  });

  test("is an offline player's where the player has signed its only token", () => {
    const own = signToken({ extraData, identityPublicKey: keys.player.text }, keys.player);
    expect(check([own])).toEqual({ kind: "offline" });
    const other = { privateKey: sampleKey().privateKey, text: keys.player.text };
    expect(check([signToken({ extraData }, other)])).toEqual({
      kind: "invalid",
      why: "bad-signature",
    });
  });

  test("with an algorithm other than ES384 is invalid", () => {
    const [, claims] = chain[0].split(".");
    const header = Buffer.from(JSON.stringify({ alg: "none", x5u: keys.player.text }));
    const unsigned = `${header.toString("base64url")}.${claims}.AA`;
    expect(check([unsigned])).toEqual({ kind: "invalid", why: "bad-signature" });
  });

  test("is invalid without tokens, or with texts that are none", () => {
    expect(check([])).toEqual({ kind: "invalid", why: "wrong-length" });
    expect(check(["a.b.c"])).toEqual({ kind: "invalid", why: "malformed" });
    expect(check([chain[0], "", chain[2]])).toEqual({ kind: "invalid", why: "malformed" });
  });
});

test.each(recordedLogins)("a recorded client of $version is an offline player", ({ datagrams }) => {
  const reader = new LoginReader();
  for (const text of datagrams) reader.receive(Buffer.from(text, "base64"));
  expect(reader.login && checkLogin(reader.login, now)).toEqual({ kind: "offline" });
});

describe("a token of the OpenID service", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const issuer = "https://authorization.example.net/";
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "one" };
  const service: OpenIdService = { issuer, keys: [jwk] };
  const claims = {
    iss: issuer,
    aud: "api://auth-minecraft-services/multiplayer",
    exp: second + 600,
    xname: "Steve",
    xid: "2535400000000000",
  };
  const token = signServiceToken(claims, "one", privateKey);
  const checkToken = (text: string, given: OpenIdService | undefined = service) =>
    checkLogin({ chain: [], token: text }, now, { rootKeys: [], service: given });

  test("is valid where a published key has signed it", () => {
    expect(checkToken(token)).toEqual({ kind: "valid", ...steve });
    const withoutSlash = { issuer: issuer.slice(0, -1), keys: [jwk] };
    expect(checkToken(token, withoutSlash).kind).toBe("valid");
  });

  test("is unknown without published keys, unless there is a chain as well", () => {
    const keysOf = { ...trusted, service: undefined };
    expect(checkLogin({ chain: [], token }, now, keysOf)).toEqual({ kind: "unknown" });
    expect(checkLogin({ chain, token }, now, keysOf).kind).toBe("valid");
  });

  test.each([
    ["bad-signature", { ...claims }, "one", true],
    ["untrusted-key", { ...claims }, "two", false],
    ["untrusted-key", { ...claims, iss: "https://example.org/" }, "one", false],
    ["wrong-audience", { ...claims, aud: "other" }, "one", false],
    ["expired", { ...claims, exp: second - 61 }, "one", false],
    ["not-yet-valid", { ...claims, nbf: second + 61 }, "one", false],
    ["no-player", { ...claims, xid: "" }, "one", false],
  ])("is invalid: %s", (why, changed, kid, isForged) => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
    const signed = signServiceToken(changed, kid, isForged ? other : privateKey);
    expect(checkToken(signed)).toEqual({ kind: "invalid", why });
  });

  test("that the player has signed is an offline player's, even beside published keys", () => {
    expect(checkToken(signToken({ xname: "Steve" }, keys.player))).toEqual({ kind: "offline" });
    expect(checkToken("a.b.c")).toEqual({ kind: "invalid", why: "malformed" });
  });

  test("is no better for being signed with a key of another kind", () => {
    const symmetric: OpenIdService = { issuer, keys: [{ kty: "oct", k: "AAAA", kid: "one" }] };
    expect(checkToken(token, symmetric)).toEqual({ kind: "invalid", why: "bad-signature" });
  });
});

test("no texts make the check throw, and none are valid", () => {
  const part = fc.oneof(
    fc.json().map((json) => Buffer.from(json).toString("base64url")),
    fc.constant(Buffer.from(`{"alg":"ES384","x5u":"${keys.player.text}"}`).toString("base64url")),
    fc.string(),
  );
  const text = fc.oneof(
    fc.tuple(part, part, part).map((parts) => parts.join(".")),
    fc.constantFrom(...chain),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), fc.option(text), (tokens, token) => {
      const isReal = tokens.length === 3 && tokens.every((each, place) => each === chain[place]);
      const result = checkLogin({ chain: tokens, token: token ?? "" }, now, trusted);
      if (!isReal) expect(result.kind).not.toBe("valid");
    }),
    { numRuns: 500 },
  );
});
