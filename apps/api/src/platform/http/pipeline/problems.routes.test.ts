import { transactionMethods } from "@palisade/contract/http/billing";
import { problem } from "@palisade/contract/errors/problem";
import { routes } from "@palisade/contract/http/routes";
import pg from "pg";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  createApiKey,
  createUser,
  expectStatus,
  type TestUser,
} from "#src/test-support/test-users.ts";

let testApp: TestApp;
let user: TestUser;
const logLines: string[] = [];
beforeAll(async () => {
  testApp = await createTestApp({ onLog: (line) => logLines.push(line) });
  user = await createUser(testApp);
});
afterAll(() => testApp?.close());

describe("one error body", () => {
  const json = { "content-type": "application/json" };
  const cases = [
    ["an unknown route", { url: "/api/v1/nothing" }, 404, "not_found"],
    ["an unknown method", { method: "DELETE", url: "/api/v1/auth/login" }, 404, "not_found"],
    ["a malformed path", { url: "/api/v1/%zz" }, 400, "bad_request"],
    [
      "broken JSON",
      { method: "POST", url: "/api/v1/auth/login", headers: json, payload: '{"email":' },
      400,
      "bad_request",
    ],
    [
      "JSON that would pollute prototypes",
      {
        method: "POST",
        url: "/api/v1/auth/login",
        headers: json,
        payload: '{"__proto__":{"a":1}}',
      },
      400,
      "bad_request",
    ],
    [
      "another media type",
      {
        method: "POST",
        url: "/api/v1/auth/login",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "email=a",
      },
      415,
      "unsupported_media_type",
    ],
    [
      "a body too large",
      {
        method: "POST",
        url: "/api/v1/auth/login",
        headers: json,
        payload: JSON.stringify({ email: "x".repeat(300 * 1024) }),
      },
      413,
      "payload_too_large",
    ],
    ["no body", { method: "POST", url: "/api/v1/auth/login" }, 422, "validation_failed"],
    ["no token", { url: "/api/v1/auth/user" }, 401, "unauthenticated"],
  ] as const;

  test.each(cases)("for %s", async (_, request, status, code) => {
    const answer = await testApp.app.inject({
      ...request,
      headers: { ...("headers" in request ? request.headers : {}), "accept-language": "ru" },
    });
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    const body = problem.parse(answer.json());
    expect(answer.statusCode).toBe(status);
    expect(body).toMatchObject({ status, code, request_id: answer.headers["x-request-id"] });
    expect(body.message).toMatch(/\p{Script=Cyrillic}/u);
    expect(body.title).not.toMatch(/\p{Script=Cyrillic}/u);
  });

  test("names every field that is wrong, required where it is missing", async () => {
    const answer = await call(testApp, routes.auth.login, { body: { email: 7 } });
    expect(answer.json().issues).toEqual([
      { path: "email", code: "required", message: "Required" },
      { path: "password", code: "required", message: "Required" },
    ]);
  });

  test("a fault of ours shows its request id and nothing else, and is logged with its cause", async () => {
    const owner = new pg.Client({ connectionString: testApp.ownerUrl });
    await owner.connect();
    await owner.query("alter table support_plans rename to support_plans_gone");
    try {
      const answer = await call(testApp, routes.plans.listSupportPlans, { token: user.token });
      expect(answer.statusCode).toBe(500);
      const body = problem.parse(answer.json());
      expect(body).toMatchObject({ code: "internal", issues: [] });
      expect(answer.body).not.toContain("support_plans");
      expect(
        logLines.some(
          (line) => line.includes(body.request_id ?? "-") && line.includes("support_plans"),
        ),
      ).toBe(true);
    } finally {
      await owner.query("alter table support_plans_gone rename to support_plans");
      await owner.end();
    }
  });
});

describe("validation", () => {
  test.each(["0", "-1", "1e309", "1.5", "NaN", "", "one", "1e9", "٣"])(
    "page %j is 422, never 500",
    async (page) => {
      const answer = await call(testApp, routes.servers.listServers, {
        token: user.token,
        query: { page },
      });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().issues[0]).toMatchObject({ path: "page", code: "page.invalid" });
    },
  );

  test("a wrong payment method is told every method the filter takes", async () => {
    const answer = await call(testApp, routes.billing.listTransactions, {
      token: user.token,
      query: { payment_method: "foo" },
    });
    expect(answer.statusCode).toBe(422);
    const [issue] = problem.parse(answer.json()).issues;
    expect(issue?.path).toBe("payment_method");
    for (const method of transactionMethods) expect(issue?.message).toContain(method);
  });

  test("an id of dots, which clients resolve as a path, gets the documented 404", async () => {
    const { getServer } = routes.servers;
    const answer = await call(testApp, getServer, { token: user.token, params: { id: ".." } });
    expect(answer.statusCode).toBe(404);
    expect(getServer.errors).toContain(problem.parse(answer.json()).code);
  });

  test("whatever is sent as page and body, the answer is never 500", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.jsonValue(), async (page, body) => {
        const list = await call(testApp, routes.servers.listServers, {
          token: user.token,
          query: { page, per_page: page },
        });
        expect([200, 422]).toContain(list.statusCode);
        const create = await testApp.app.inject({
          method: "POST",
          url: "/api/v1/servers",
          headers: { authorization: `Bearer ${user.token}`, "content-type": "application/json" },
          payload: JSON.stringify(body),
        });
        // 400: fast-check knows `__proto__`.
        expect([400, 422, 429]).toContain(create.statusCode);
      }),
      { numRuns: 50 },
    );
  });

  test("fields the contract does not name change nothing", async () => {
    const email = "mass@example.com";
    await expectStatus(
      call(testApp, routes.auth.register, {
        ip: "10.2.0.1",
        body: {
          email,
          password: "correct horse battery",
          password_confirmation: "correct horse battery",
          accept_privacy_policy: true,
          role: "staff",
          balance: "1000.00",
          balance_cents: 100_000,
          email_verified_at: "2020-01-01T00:00:00Z",
        },
      }),
      201,
    );
    const row = await testApp.platform.db
      .selectFrom("users")
      .select(["role", "email_verified_at"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ role: "customer", email_verified_at: null });
  });
});

describe("credentials", () => {
  test.each([
    "",
    "Bearer",
    "Bearer x",
    "Basic dXNlcjpwYXNzd29yZA==",
    `Bearer pst_${"a".repeat(43)}`,
  ])("%j is no credential", async (authorization) => {
    const answer = await call(testApp, routes.auth.user, { headers: { authorization } });
    expect([answer.statusCode, answer.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  });

  test("an API key ends at its expiry", async () => {
    const expiresAt = new Date(testApp.clock.now().getTime() + 60_000);
    const token = await createApiKey(testApp, user, "read", expiresAt);
    expect((await call(testApp, routes.auth.user, { token })).statusCode).toBe(200);
    testApp.clock.advance(60_000);
    expect((await call(testApp, routes.auth.user, { token })).statusCode).toBe(401);
  });

  test("a session's token is not taken as an API key nor the reverse", async () => {
    const key = await createApiKey(testApp, user, "read");
    for (const token of [key.replace("psk_", "pst_"), user.token.replace("pst_", "psk_")]) {
      expect((await call(testApp, routes.auth.user, { token })).statusCode).toBe(401);
    }
  });
});
