import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

async function epoch(): Promise<string> {
  const { db } = testApp.platform;
  return (await db.selectFrom("config_head").select("epoch").executeTakeFirstOrThrow()).epoch;
}

test("database restored gives versions another history, and is on record", async () => {
  const before = await epoch();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, "../cli.ts"), "database", "restored"],
    {
      env: {
        PATH: process.env["PATH"],
        PALISADE_SECRET: "a secret for tests, long enough to be one",
        DATABASE_URL: testApp.runtimeUrl,
      },
    },
  );
  expect(stdout).toContain("take the whole configuration anew");
  expect(await epoch()).not.toBe(before);
  const rows = await testApp.platform.db
    .selectFrom("audit_log")
    .select(["chain", "actor_kind"])
    .where("endpoint", "=", "database restored")
    .execute();
  expect(rows).toEqual([{ chain: "system", actor_kind: "system" }]);
});
