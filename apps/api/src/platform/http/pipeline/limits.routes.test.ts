import { createHash, createHmac } from "node:crypto";
import {
  defaultLimits,
  recordedCallsLimit,
  refusedCallsLimit,
  type RouteLimit,
} from "@palisade/contract/http/route";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import { newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  logIn,
  signUp,
} from "#src/test-support/test-users.ts";
import { addressBucket, networkOf, limitsKey } from "./limits.ts";

let testApp: TestApp;
let replica: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
  replica = await createTestApp({ sharing: testApp });
});
afterAll(async () => {
  await replica?.close();
  await testApp?.close();
});

const limitOf = (subject: RouteLimit["per"]): RouteLimit => {
  const found = routes.auth.login.limits.find(({ per }) => per === subject);
  if (found === undefined) throw new Error(`The login has no limit for each ${subject}`);
  return found;
};
const [byAddress, byBoth] = [limitOf("ip"), limitOf("ip+email")];

function login(app: TestApp, ip: string, email: string) {
  return call(app, routes.auth.login, { ip, body: { email, password: "wrong" } });
}

describe("limits", () => {
  test("hold across replicas and parallel calls, to the call", async () => {
    const answers = await Promise.all(
      Array.from({ length: byBoth.max + 10 }, (_, index) =>
        login(index % 2 === 0 ? testApp : replica, "10.3.0.1", "Target@example.com"),
      ),
    );
    const refused = answers.filter((answer) => answer.statusCode === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.headers["retry-after"]).toBe(String(byBoth.windowSeconds));
    expect(refused[0]?.json()).toMatchObject({
      code: "rate_limited",
      retry_after: byBoth.windowSeconds,
      message: `Too many requests. Try again in ${byBoth.windowSeconds} s`,
    });
  });

  test("many tries from one address lock out that address only", async () => {
    const { email } = await signUp(testApp);
    const knock = () => login(testApp, "10.3.1.1", email);
    await Promise.all(Array.from({ length: byBoth.max }, knock));
    await expectStatus(knock(), 429);
    await logIn(testApp, email, "10.3.2.1");
  });

  test("case and blanks do not make another e-mail", async () => {
    const spellings = ["case@example.com", "CASE@example.com", " case@Example.com "];
    for (let index = 0; index < byBoth.max; index += 1) {
      await login(testApp, "10.4.0.1", spellings[index % 3] ?? "");
    }
    expect((await login(testApp, "10.4.0.1", "case@example.com")).statusCode).toBe(429);
  });

  test("an empty e-mail is not counted", async () => {
    for (const email of ["", " ", ""]) {
      const answer = await call(testApp, routes.auth.resendVerificationCode, { body: { email } });
      expect(answer.statusCode).toBe(422);
    }
  });

  test("a window ends as told", async () => {
    const ip = "10.5.0.1";
    for (let index = 0; index < byAddress.max; index += 1)
      await login(testApp, ip, `w${index}@a.bc`);
    const refused = await login(testApp, ip, "w@a.bc");
    expect(refused.statusCode).toBe(429);
    testApp.clock.advance(Number(refused.headers["retry-after"]) * 1000);
    expect((await login(testApp, ip, "w@a.bc")).statusCode).toBe(422);
  });

  test("hold for all audited calls of an account, by key or by change, refusals included", async () => {
    const user = await signUp(testApp);
    const key = await createApiKey(testApp, user, "read");
    const byKey = () => call(testApp, routes.auth.user, { token: key });
    const byRefusedKey = () => call(testApp, routes.servers.generateCname, { token: key });
    const byChange = () => call(testApp, routes.servers.generateCname, { token: user.token });
    await expectStatus(byKey(), 200);
    await expectStatus(byChange(), 201);
    const { max, windowSeconds } = recordedCallsLimit;
    const windowMs = windowSeconds * 1000;
    const end = new Date(testApp.clock.now().getTime() + windowMs);
    // As if it had called all the while; no other limit has such a window.
    await testApp.platform.db
      .updateTable("rate_limits")
      .set({ hits: max - 2 })
      .where("expires_at", "=", end)
      .execute();
    await expectStatus(byKey(), 200);
    await expectStatus(byRefusedKey(), 403);
    for (const calling of [byKey, byRefusedKey]) await expectStatus(calling(), 429);
    const { listApiKeys, listSessions } = routes.account;
    const refusing = [listApiKeys, listSessions, routes.twoFactor.getBackupCodes];
    for (const route of refusing) await expectStatus(call(testApp, route, { token: key }), 429);
    // Its owner can still delete a key that is used up by a thief.
    await expectStatus(byChange(), 201);
    await expectStatus(byChange(), 201);
    await expectStatus(byChange(), 429);
    // Calls of a session that only read are not audited, so they are not counted.
    await expectStatus(call(testApp, routes.auth.user, { token: user.token }), 200);
    testApp.clock.advance(windowMs);
    await expectStatus(byKey(), 200);
  });

  test("hold for calls without a limit of their own, by each process and caller", async () => {
    const [{ max, windowSeconds }] = defaultLimits.change;
    const [user, other] = await Promise.all([createUser(testApp), createUser(testApp)]);
    const leave = (app: TestApp, { token }: typeof user) =>
      call(app, routes.subUsers.leaveServer, { token, params: { id: newId() } });
    const answers = await Promise.all(Array.from({ length: max + 3 }, () => leave(testApp, user)));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3);
    await expectStatus(leave(testApp, user), 429);
    await expectStatus(leave(testApp, other), 404);
    await expectStatus(leave(replica, user), 404);
    testApp.clock.advance(windowSeconds * 1000);
    await expectStatus(leave(testApp, user), 404);
  });

  test("hold for calls without a valid credential, which keep no one else at their address out", async () => {
    const { max, windowSeconds } = refusedCallsLimit;
    const [user, ip] = [await createUser(testApp), "10.5.0.1"];
    const guess = (token?: string) =>
      call(testApp, routes.auth.user, { ip, ...(token !== undefined && { token }) });
    for (let guesses = 0; guesses < max; guesses += 2) {
      await expectStatus(guess(), 401);
      await expectStatus(guess(newToken(tokenPrefixes.session)), 401);
    }
    for (const token of [undefined, newToken(tokenPrefixes.apiKey)]) {
      const answer = await expectStatus(guess(token), 429);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
    await expectStatus(guess(user.token), 200);
    await expectStatus(call(testApp, routes.auth.user, { ip: "10.5.0.2" }), 401);
    testApp.clock.advance(windowSeconds * 1000);
    await expectStatus(guess(), 401);
  });

  test("the table holds no e-mail and no address, nor a hash by which they could be tried", async () => {
    await login(testApp, "10.6.0.1", "secret@example.com");
    const rows = await testApp.platform.db.selectFrom("rate_limits").select("key").execute();
    const keys = rows.map(({ key }) => key);
    expect(keys.join()).not.toMatch(/secret|example|10\.6/);
    const subject = JSON.stringify(["auth.login", "ip", 900, "10.6.0.1"]);
    const { secret } = testApp.platform.config;
    const keyed = createHmac("sha256", limitsKey(secret)).update(subject).digest("base64url");
    const plain = createHash("sha256").update(subject).digest("base64url");
    expect([keys.includes(keyed), keys.includes(plain)]).toEqual([true, false]);
  });

  test.each([
    ["10.7.0.1", "an X-Forwarded-For from an untrusted address changes nothing", []],
    ["192.0.2.99", "a trusted proxy says who calls", ["10.7.0.0/16"]],
    ["10.7.0.1", "another proxy's range is not trusted", ["10.8.0.0/16"]],
  ])("counts %s: %s", async (expected, _, trustedProxies) => {
    const behind = await createTestApp({ config: { trustedProxies }, sharing: testApp });
    try {
      const answer = await behind.app.inject({
        method: "POST",
        url: "/api/v1/auth/resend-verification-code",
        remoteAddress: "10.7.0.1",
        headers: { "x-forwarded-for": "203.0.113.1, 192.0.2.99" },
        payload: { email: `${trustedProxies.join("").replaceAll(/\W/g, "") || "none"}@b.cd` },
      });
      const row = await until(() =>
        testApp.platform.db
          .selectFrom("audit_log")
          .select("ip")
          .where("request_id", "=", String(answer.headers["x-request-id"]))
          .executeTakeFirst(),
      );
      expect(row.ip).toBe(expected);
    } finally {
      await behind.close();
    }
  });
});

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["::ffff:192.0.2.7", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["not an address", "not an address"],
])("the network of %s is %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

describe("addressBucket", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["2001:db8:1:2::1", "2001:db8:1:2::"],
    ["2001:db8:1:3::1", "2001:db8:1:3::"],
    ["not an address", "not an address"],
  ])("counts %s as %s", (ip, bucket) => {
    expect(addressBucket(ip)).toBe(bucket);
  });
});
