import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { grantStaff } from "#src/features/users/staff.service.ts";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import {
  call,
  signUp,
  expectStatus,
  logIn,
  testPassword,
  type TestUser,
} from "#src/test-support/test-users.ts";
import { auditVerificationJob } from "./audit.feature.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

async function list(
  { token }: Pick<TestUser, "token">,
  query: Record<string, string> = {},
  language = "en",
) {
  const headers = { "accept-language": language };
  const answer = await expectStatus(
    call(testApp, routes.audit.listAuditLog, { token, query, headers }),
    200,
  );
  return routes.audit.listAuditLog.response.parse(answer.json());
}

/** The page, once it has so many rows and each its duration: both are written after the answer. */
function settled(user: Pick<TestUser, "token">, total: number, query = {}) {
  return until(async () => {
    const page = await list(user, query);
    const isWhole = page.data.every((entry) => entry.duration_ms !== null);
    return page.total >= total && isWhole ? page : undefined;
  });
}

const generate = ({ token }: Pick<TestUser, "token">) =>
  call(testApp, routes.servers.generateCname, { token });

test("a row says who did what, whence, with what outcome, and how long it took", async () => {
  const user = await signUp(testApp);
  await expectStatus(generate(user), 201);
  const page = await settled(user, 1, { endpoint: "generate" });
  expect(page.data[0]).toEqual({
    id: expect.any(String),
    actor: user.email,
    method: "POST",
    endpoint: "/api/v1/servers/generate-cname",
    full_url: "/api/v1/servers/generate-cname",
    response_status: 201,
    ip: "127.0.0.1",
    duration_ms: expect.any(Number),
    created_at: testApp.clock.now().toISOString(),
  });
});

describe("actors in words", () => {
  test("keys by name, also once they are gone; strangers; both languages", async () => {
    const user = await signUp(testApp);
    const made = await call(testApp, routes.account.createApiKey, {
      token: user.token,
      body: { name: "Bot", scope: "write" },
    });
    const { api_key: key, key: row } = routes.account.createApiKey.response.parse(made.json());
    await expectStatus(generate({ token: key }), 201);
    const own = await call(testApp, routes.account.regenerateApiKey, { token: user.token });
    await expectStatus(generate({ token: own.json().api_key }), 201);
    await expectStatus(
      call(testApp, routes.account.deleteApiKey, { token: user.token, params: { id: row.id } }),
      200,
    );
    const actors = async (language: string) =>
      (await list(user, {}, language)).data.map((entry) => entry.actor);
    await until(async () => (await actors("en")).length >= 5);
    expect(await actors("en")).toEqual(
      expect.arrayContaining([
        "API key Bot",
        "API key of the profile",
        user.email,
        `${user.email}, not signed in`,
      ]),
    );
    expect(await actors("ru")).toEqual(
      expect.arrayContaining(["API-ключ «Bot»", "API-ключ профиля", `${user.email}, без входа`]),
    );
  });
});

describe("filters", () => {
  let token: string | undefined;

  test("by part of the endpoint, method, status and days, and all together", async () => {
    const user = await signUp(testApp);
    await expectStatus(generate(user), 201);
    testApp.clock.advance(40 * 86_400_000 - 1_000);
    const later = await logIn(testApp, user.email);
    await expectStatus(generate(later), 201);
    await expectStatus(
      call(testApp, routes.account.updateProfile, { token: later.token, body: {} }),
      422,
    );
    const all = await settled(later, 5, { days: "365" });
    await grantStaff(
      testApp.platform,
      { email: user.email, roles: ["admin"] },
      testApp.clock.now(),
    );
    const endpoints = async (query: Record<string, string>) =>
      (await list(later, query)).data.map((entry) => entry.endpoint.split("/").at(-1));
    expect(await endpoints({ endpoint: "GENERATE" })).toEqual(["generate-cname"]);
    expect(await endpoints({ endpoint: "generate", days: "41" })).toHaveLength(2);
    expect(await endpoints({ method: "PUT" })).toEqual(["profile"]);
    expect(await endpoints({ method: "CLI" })).toEqual(["staff add"]);
    expect(await endpoints({ status: "422" })).toEqual(["profile"]);
    expect(await endpoints({ status: "422", method: "POST" })).toEqual([]);
    // Nothing of a pattern's means anything.
    expect(await endpoints({ endpoint: "%" })).toEqual([]);
    expect(await endpoints({ endpoint: "_" })).toEqual([]);
    expect((await list(later)).total).toBeLessThan(all.total);
  });

  test.each([
    [{ days: "0" }, "days"],
    [{ days: "366" }, "days"],
    [{ days: "1e309" }, "days"],
    [{ method: "TRACE" }, "method"],
    [{ status: "99" }, "status"],
    [{ status: "abc" }, "status"],
    [{ page: "0" }, "page"],
    [{ page: "-1" }, "page"],
    [{ per_page: "101" }, "per_page"],
    [{ endpoint: "x".repeat(201) }, "endpoint"],
  ])("%j is 422", async (query, path) => {
    token ??= (await signUp(testApp)).token;
    const answer = await call(testApp, routes.audit.listAuditLog, { token, query });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().issues[0].path).toBe(path);
  });
});

test("pages hold 20, newest first, and tell how many there are", async () => {
  const user = await signUp(testApp);
  for (let made = 0; made < 23; made += 1) await generate(user);
  const first = await settled(user, 25);
  expect(first.data).toHaveLength(20);
  expect(first).toMatchObject({
    current_page: 1,
    per_page: 20,
    last_page: 2,
    meta: { last_page: 2 },
  });
  const second = await list(user, { page: "2" });
  expect(second.data).toHaveLength(first.total - 20);
  const ids = [...first.data, ...second.data].map((entry) => entry.id);
  expect(new Set(ids).size).toBe(first.total);
  expect((await list(user, { page: "999999" })).data).toEqual([]);
});

test("users see their own audit log only", async () => {
  const [user, other] = [await signUp(testApp), await signUp(testApp)];
  await expectStatus(generate(user), 201);
  await settled(user, 2);
  expect(JSON.stringify(await list(other))).not.toContain("generate-cname");
});

describe("export", () => {
  test("is the filtered list as CSV, in which no cell is a formula", async () => {
    const user = await signUp(testApp);
    const made = await call(testApp, routes.account.createApiKey, {
      token: user.token,
      body: { name: 'a,"b"', scope: "write" },
    });
    await generate({ token: made.json().api_key });
    await settled(user, 3);
    const answer = await expectStatus(
      call(testApp, routes.audit.exportAuditLog, {
        token: user.token,
        query: { endpoint: "generate" },
      }),
      200,
    );
    expect(answer.headers["content-type"]).toContain("text/csv");
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="audit-log.csv"');
    const [names, row, end] = answer.body.split("\r\n");
    expect(names).toBe("created_at,actor,method,endpoint,full_url,response_status,ip,duration_ms");
    expect(row).toMatch(
      /^[\dTZ:.-]+,"API key a,""b""",POST,\/api\/v1\/servers\/generate-cname,\/api\/v1\/servers\/generate-cname,201,127\.0\.0\.1,\d+$/,
    );
    expect(end).toBe("");
  });
});

describe("the nightly verification", () => {
  test("ends where the process cannot wait for it, and has an hour before it is taken for dead", async () => {
    const log = pino({ level: "silent" });
    const job = auditVerificationJob({ ...testApp.platform, log });
    expect(job.tryLimitSeconds).toBe(3600);
    const reason = new Error("closing");
    await expect(job.run({}, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  async function verify(): Promise<string[]> {
    const lines: string[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
    await auditVerificationJob({ ...testApp.platform, log }).run({});
    return lines;
  }

  test("says nothing alarming of whole chains, and shouts at a broken one", async () => {
    const user = await signUp(testApp);
    await generate(user);
    await settled(user, 2);
    expect((await verify()).join("")).not.toContain("alert");
    const owner = new pg.Client({ connectionString: testApp.ownerUrl });
    await owner.connect();
    await owner.query("update audit_log set ip = '192.0.2.9' where chain = $1 and seq = 1", [
      `user:${user.id}`,
    ]);
    await owner.end();
    const alert = (await verify()).find((line) => line.includes("audit-chain-broken"));
    expect(JSON.parse(alert ?? "{}")).toMatchObject({
      level: 50,
      found: `user:${user.id}: row 1 was changed`,
    });
  });
});

test("a refused login of one's own address is not lost", async () => {
  const user = await signUp(testApp);
  await call(testApp, routes.auth.login, {
    ip: "203.0.113.77",
    body: { email: user.email, password: `${testPassword}!` },
  });
  const rows = await until(async () => {
    const found = await testApp.platform.db
      .selectFrom("audit_log")
      .select(["chain", "response_status"])
      .where("ip", "=", "203.0.113.77")
      .execute();
    return found.length > 0 ? found : undefined;
  });
  expect(rows[0]).toMatchObject({ response_status: 422 });
});
