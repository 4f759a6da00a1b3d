import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { call, signUp, expectStatus, mailsTo } from "#src/test-support/test-users.ts";

let testApp: TestApp;
const logLines: string[] = [];
beforeAll(async () => {
  testApp = await createTestApp({ onLog: (line) => logLines.push(line) });
});
afterAll(() => testApp?.close());

test("a key pasted into an address is in no row, list, file, log line or mail", async () => {
  const user = await signUp(testApp);
  const own = await call(testApp, routes.account.regenerateApiKey, { token: user.token });
  const named = await call(testApp, routes.account.createApiKey, {
    token: user.token,
    body: { name: "Canary", scope: "read" },
  });
  const keys = [String(own.json().api_key), String(named.json().api_key)];
  for (const key of keys) {
    for (const url of [
      `/api/v1/profile?api_key=${key}`,
      `/api/v1/profile/sessions/${key}`,
      `/api/v1/audit-logs?endpoint=${key}&method=${key}`,
      `/api/v1/audit-logs.csv?endpoint=${key}`,
      `/confirm-email?token=${key}`,
      `/${key}/${key}?${key}#${key}`,
    ]) {
      for (const method of ["GET", "DELETE"] as const) {
        await testApp.app.inject({ method, url, headers: { authorization: `Bearer ${key}` } });
      }
    }
  }
  const { token } = user;
  const query = { per_page: "100" };
  // Each key's readings are on record: four addresses a route knows, and the refused ending.
  const page = await until(async () => {
    const answer = await expectStatus(
      call(testApp, routes.audit.listAuditLog, { token, query }),
      200,
    );
    return answer.json().data.length >= 10 ? answer.body : undefined;
  });
  await until(async () => (await mailsTo(testApp, user.email)).length >= 3);
  const seen = [
    page,
    (await call(testApp, routes.audit.exportAuditLog, { token })).body,
    (await call(testApp, routes.account.exportAccount, { token })).body,
    (await call(testApp, routes.account.getProfile, { token })).body,
    JSON.stringify(await testApp.platform.db.selectFrom("audit_log").selectAll().execute()),
    JSON.stringify(await mailsTo(testApp, user.email)),
    logLines.join("\n"),
  ];
  expect(logLines.length).toBeGreaterThan(10);
  expect(seen[0]).toContain("[redacted]");
  for (const text of seen) {
    for (const key of keys) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(key.slice(8, 30));
    }
  }
});
