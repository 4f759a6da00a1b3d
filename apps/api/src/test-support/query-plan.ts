import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from "kysely";
import { Client } from "pg";
import type { Db } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";
import type { TestApp } from "./test-app.ts";

export async function asOwner<T>(
  testApp: TestApp,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: testApp.ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** How the database answers the one statement that `ask` sends. */
export async function queryPlan(
  testApp: TestApp,
  ask: (db: Db) => Promise<unknown>,
): Promise<string> {
  const asked: CompiledQuery[] = [];
  const recorder = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void asked.push(query),
  });
  await ask(recorder);
  const [query] = asked;
  if (query === undefined) throw new Error("Nothing was asked");
  const { rows } = await asOwner(testApp, (client) =>
    client.query<Record<string, string>>(`explain ${query.sql}`, [...query.parameters]),
  );
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
