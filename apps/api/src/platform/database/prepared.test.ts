import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMigratedDatabase } from "#src/test-support/test-app.ts";
import { createDb, type Db } from "./db.ts";
import { prepared, type Given } from "./prepared.ts";

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let db: Db;
beforeAll(async () => {
  database = await createMigratedDatabase();
  db = createDb({
    url: database.runtimeUrl,
    connectionsMax: 1,
    statementTimeoutMs: 10_000,
    onConnectionError: () => undefined,
  });
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
});

const sums = prepared(
  (_db, given: Given<{ left: number; right: number; names: readonly string[] }>) =>
    sql<{
      sum: number;
      names: string[];
    }>`select ${given.left}::int + 2 * ${given.right}::int + ${1}::int as sum, ${given.names}::text[] as names`,
);

test("each call has its own values, each in its place", async () => {
  expect(await sums(db, { right: 10, left: 1, names: ["a", 'b"}'] })).toEqual([
    { sum: 22, names: ["a", 'b"}'] },
  ]);
  const many = Array.from({ length: 20 }, (_, left) => sums(db, { left, right: 0, names: [] }));
  expect((await Promise.all(many)).flat().map(({ sum }) => sum)).toEqual(
    Array.from({ length: 20 }, (_, left) => left + 1),
  );
});

test("a connection keeps one statement of it, also where a transaction runs it and fails", async () => {
  const failing = db.transaction().execute(async (trx) => {
    expect(await sums(trx, { left: 1, right: 1, names: [] })).toEqual([{ sum: 4, names: [] }]);
    await sums(trx, { left: 2_147_483_647, right: 1, names: [] });
  });
  await expect(failing).rejects.toThrow("out of range");
  expect(await sums(db, { left: 2, right: 0, names: [] })).toEqual([{ sum: 3, names: [] }]);
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from pg_prepared_statements where statement like '%2 *%'
  `.execute(db);
  expect(rows).toEqual([{ count: "1" }]);
});
