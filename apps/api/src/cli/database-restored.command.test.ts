import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { programEnvironment } from "@palisade/testing/program-environment";
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

async function salts(): Promise<string[]> {
  const rows = await testApp.platform.db.selectFrom("locations").select("cookie_salt").execute();
  return rows.map(({ cookie_salt }) => cookie_salt);
}

async function run(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, "../cli.ts"), ...words],
    {
      env: {
        ...programEnvironment,
        PALISADE_SECRET: "a secret for tests, long enough to be one",
        DATABASE_URL: testApp.runtimeUrl,
      },
    },
  );
  const rows = await testApp.platform.db
    .selectFrom("audit_log")
    .select(["chain", "actor_kind"])
    .where("endpoint", "=", words.join(" "))
    .execute();
  expect(rows).toEqual([{ chain: "system", actor_kind: "system" }]);
  return stdout;
}

test("database restored gives versions another history and cookies other keys, and is on record", async () => {
  const before = { epoch: await epoch(), salts: await salts() };
  expect(await run("database", "restored")).toContain("take the whole configuration anew");
  expect(await epoch()).not.toBe(before.epoch);
  for (const salt of await salts()) expect(before.salts).not.toContain(salt);
});

test("cookies renew gives the shields of every location other keys, and is on record", async () => {
  const before = await salts();
  await run("cookies", "renew");
  for (const salt of await salts()) expect(before).not.toContain(salt);
});
