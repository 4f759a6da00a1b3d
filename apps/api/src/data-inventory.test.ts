import { readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp?.close());

/** The tables of the tool that migrates. */
const foreign = /^kysely_migration/;

test("the data inventory names every table, and none that is not there", async () => {
  const file = path.resolve(import.meta.dirname, "../../../docs/security/data-inventory.md");
  const [page = ""] = (await readFile(file, "utf8")).split("## Protection levels");
  const named = [...page.matchAll(/`([a-z][a-z_.]*\*?)`/g)].map(([, name = ""]) => name);
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    union select 'jobs.job'
  `.execute(testApp.platform.db);
  const tables = rows.map(({ name }) => name).filter((name) => !foreign.test(name));
  const isOf = (table: string) => (name: string) =>
    name.endsWith("*") ? table.startsWith(name.slice(0, -1)) : name === table;
  expect(tables.filter((table) => !named.some(isOf(table)))).toEqual([]);
  expect(named.filter((name) => !tables.some((table) => isOf(table)(name)))).toEqual([]);
});
