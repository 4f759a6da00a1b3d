import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, testConfig, type TestApp } from "#src/test-support/test-app.ts";
import { compose } from "#src/compose.ts";
import {
  call,
  createApiKey,
  signUp,
  expectStatus,
  mailsTo,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { verifyAuditLog } from "./audit.service.ts";

let testApp: TestApp;
let user: TestUser;
const logLines: string[] = [];
beforeAll(async () => {
  testApp = await createTestApp({ onLog: (line) => logLines.push(line) });
  user = await signUp(testApp);
});
afterAll(() => testApp?.close());

function rowsOf(userId: string) {
  return testApp.platform.db
    .selectFrom("audit_log")
    .selectAll()
    .where("chain", "=", `user:${userId}`)
    .orderBy("seq")
    .execute();
}

test("strangers who are turned away leave no rows", async () => {
  const count = () =>
    testApp.platform.db
      .selectFrom("audit_log")
      .select((eb) => eb.fn.countAll<string>().as("rows"))
      .executeTakeFirstOrThrow();
  const before = await count();
  for (let index = 0; index < 5; index += 1) {
    await expectStatus(call(testApp, routes.auth.logout, { token: "an unknown token" }), 401);
  }
  // Rows are written after answers, in their order: the signed-in one's comes last.
  await expectStatus(
    call(testApp, routes.auth.logout, { token: (await signUp(testApp)).token }),
    200,
  );
  const rows = await testApp.platform.db
    .selectFrom("audit_log")
    .select("response_status")
    .where("endpoint", "=", "/api/v1/auth/logout")
    .execute();
  expect(rows.filter(({ response_status }) => response_status === 401)).toEqual([]);
  expect(Number((await count()).rows)).toBeGreaterThan(Number(before.rows));
});

describe("append-only", () => {
  test.each(
    [
      ["audit_log", "method = 'GET'"],
      ["audit_durations", "duration_ms = 0"],
    ].flatMap(([table, change]) => [
      [table, `update ${table} set ${change}`],
      [table, `delete from ${table}`],
      [table, `truncate ${table}`],
    ]),
  )("the api's role may not change %s: %s", async (_, statement) => {
    const runtime = new pg.Client({ connectionString: testApp.runtimeUrl });
    await runtime.connect();
    try {
      await expect(runtime.query(statement)).rejects.toMatchObject({ code: "42501" });
    } finally {
      await runtime.end();
    }
  });

  test("the api does not start as a role that could", async () => {
    await expect(compose({ config: testConfig(testApp.ownerUrl) })).rejects.toThrow(
      /could change or remove rows of audit_log/,
    );
  });
});

test("the chain of an account is whole after parallel calls", async () => {
  const { email } = user;
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      call(testApp, routes.auth.login, {
        ip: `10.8.0.${index + 1}`,
        body: { email, password: index % 2 === 0 ? testPassword : "wrong" },
      }),
    ),
  );
  const rows = await until(async () => {
    const all = await rowsOf(user.id);
    return all.filter((row) => row.endpoint.endsWith("/login")).length >= 11 ? all : undefined;
  });
  expect(rows.map((row) => Number(row.seq))).toEqual(rows.map((_, index) => index + 1));
  expect((await verifyAuditLog(testApp.platform.db, testApp.platform.config)).breaks).toEqual([]);
});

describe("the record", () => {
  test("refused logins stand on the account they were tried on, and say whence", async () => {
    const victim = await signUp(testApp);
    const answer = await call(testApp, routes.auth.login, {
      ip: "10.9.0.1",
      body: { email: victim.email, password: "wrong" },
    });
    const row = await until(async () =>
      (await rowsOf(victim.id)).find((each) => each.request_id === answer.headers["x-request-id"]),
    );
    expect(row).toMatchObject({
      actor_kind: "anonymous",
      method: "POST",
      endpoint: "/api/v1/auth/login",
      response_status: 422,
      ip: "10.9.0.1",
    });
  });

  test("every call by API key, reading ones too", async () => {
    const token = await createApiKey(testApp, user, "read");
    const answer = await expectStatus(call(testApp, routes.auth.user, { token }), 200);
    const row = await until(async () =>
      (await rowsOf(user.id)).find((each) => each.request_id === answer.headers["x-request-id"]),
    );
    expect(row).toMatchObject({ method: "GET", credential: expect.stringMatching(/^api-key:/) });
  });

  test("reading in a session is not", async () => {
    const before = await rowsOf(user.id);
    await expectStatus(call(testApp, routes.auth.user, { token: user.token }), 200);
    await expectStatus(call(testApp, routes.auth.logout, { token: user.token }), 200);
    const after = await until(async () => {
      const rows = await rowsOf(user.id);
      return rows.length > before.length ? rows : undefined;
    });
    expect(after.slice(before.length).map((row) => row.endpoint)).toEqual(["/api/v1/auth/logout"]);
  });

  test("no secret reaches a row, a log line or another mail", async () => {
    const canary = await createApiKey(testApp, user, "write");
    const password = "canary password of this test";
    const email = "canary@example.com";
    await call(testApp, routes.auth.register, {
      ip: "10.9.1.1",
      body: { email, password, password_confirmation: password, accept_privacy_policy: true },
    });
    for (const url of [
      `/api/v1/auth/user?api_key=${canary}`,
      `/api/v1/servers?status=${canary}&page=${canary}`,
      `/api/v1/servers/${canary}`,
      `/api/v1/${canary}`,
      `/${canary}?${canary}`,
    ]) {
      await testApp.app.inject({ url, headers: { authorization: `Bearer ${canary}` } });
    }
    await call(testApp, routes.auth.login, { ip: "10.9.1.2", body: { email, password } });
    const marker = await call(testApp, routes.auth.login, {
      ip: "10.9.1.3",
      body: { email, password: canary },
    });
    await until(async () =>
      testApp.platform.db
        .selectFrom("audit_log")
        .select("id")
        .where("request_id", "=", String(marker.headers["x-request-id"]))
        .executeTakeFirst(),
    );
    const rows = await testApp.platform.db.selectFrom("audit_log").selectAll().execute();
    const seen = JSON.stringify([rows, logLines, await mailsTo(testApp, email)]);
    expect(rows.some((row) => row.full_url.includes("[redacted]"))).toBe(true);
    expect(seen).not.toContain(canary);
    expect(seen).not.toContain(canary.slice(8, 30));
    expect(seen).not.toContain(password);
  });
});
