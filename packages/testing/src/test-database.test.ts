import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provideDatabaseServer, type ProvidedDatabaseServer } from "./database-server.ts";
import { createDatabaseOn, type DatabaseUrls } from "./test-database.ts";

let server: ProvidedDatabaseServer;

beforeAll(async () => {
  server = await provideDatabaseServer(undefined);
});

afterAll(() => server.close());

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(sql);
    return result.rows.flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}

describe("a test database", () => {
  test("is a copy of a template that is filled once, however many ask at the same time", async () => {
    let prepared = 0;
    const prepare = async (urls: DatabaseUrls): Promise<void> => {
      prepared += 1;
      await query(urls.ownerUrl, "CREATE TABLE plans AS SELECT 'free' AS name");
    };
    const databases = await Promise.all(
      Array.from({ length: 4 }, () => createDatabaseOn(server, { template: "shared", prepare })),
    );
    expect(prepared).toBe(1);
    await query(databases[0]?.ownerUrl ?? "", "DELETE FROM plans");
    expect(await query(databases[1]?.ownerUrl ?? "", "SELECT name FROM plans")).toEqual(["free"]);
    await Promise.all(databases.map((database) => database.drop()));
  });

  test("has neither an owner nor a runtime role that is superuser", async () => {
    const database = await createDatabaseOn(server, {
      template: "roles",
      prepare: (urls) => query(urls.ownerUrl, "CREATE TABLE closed ()").then(() => undefined),
    });
    for (const url of [database.ownerUrl, database.runtimeUrl]) {
      expect(await query(url, "SELECT current_setting('is_superuser')")).toEqual(["off"]);
    }
    await expect(query(database.runtimeUrl, "SELECT FROM closed")).rejects.toThrow("denied");
    await database.drop();
  });

  test("never comes from a template whose preparation failed", async () => {
    const failing = createDatabaseOn(server, {
      template: "broken",
      prepare: async (urls) => {
        await query(urls.ownerUrl, "CREATE TABLE half ()");
        throw new Error("migration failed");
      },
    });
    await expect(failing).rejects.toThrow("migration failed");
    const database = await createDatabaseOn(server, {
      template: "broken",
      prepare: async () => undefined,
    });
    await expect(query(database.ownerUrl, "SELECT FROM half")).rejects.toThrow("does not exist");
    await database.drop();
  });

  test("can be dropped while a client is connected", async () => {
    const database = await createDatabaseOn(server, {
      template: "roles",
      prepare: async () => undefined,
    });
    const client = new Client({ connectionString: database.runtimeUrl });
    const cut = new Promise((resolve) => client.on("error", resolve));
    await client.connect();
    await database.drop();
    await cut;
    await expect(query(database.runtimeUrl, "SELECT 1")).rejects.toThrow("does not exist");
  });

  test("on a given server leaves nothing behind after the run", async () => {
    const run = await provideDatabaseServer(server.adminUrl);
    await createDatabaseOn(run, { template: "left", prepare: async () => undefined });
    const count = `SELECT count(*)::int FROM pg_database WHERE starts_with(datname, '${run.prefix}')`;
    expect(await query(server.adminUrl, count)).toEqual([2]);
    await run.close();
    expect(await query(server.adminUrl, count)).toEqual([0]);
  });
});
