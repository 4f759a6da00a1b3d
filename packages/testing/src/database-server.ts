import { randomBytes } from "node:crypto";
import { startEmbeddedPostgres } from "@palisade/embedded-postgres/launcher";
import { Client, escapeIdentifier } from "pg";
import { createTemporaryFolder, fastFolder } from "./temporary-folder.ts";

/** Everything a test file needs to create databases; plain data, because it is sent to the test's process. */
export interface DatabaseServer {
  /** Connection with the right to create roles and databases. */
  readonly adminUrl: string;
  /** Prefix of all databases of this run: templates of an earlier run may hold older migrations. */
  readonly prefix: string;
}

export interface ProvidedDatabaseServer extends DatabaseServer {
  close(): Promise<void>;
}

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: DatabaseServer;
  }
}

/** Tests need no durability. */
const fastUnsafeSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
};

/**
 * Provides a server for one test run: the given one, or a temporary embedded cluster.
 *
 * @param givenAdminUrl admin connection to an existing server; only this run's databases are
 *   dropped there
 */
export async function provideDatabaseServer(
  givenAdminUrl: string | undefined,
): Promise<ProvidedDatabaseServer> {
  const prefix = `palisade_test_${randomBytes(4).toString("hex")}_`;
  if (givenAdminUrl !== undefined) {
    return {
      adminUrl: givenAdminUrl,
      prefix,
      close: () => dropDatabases(givenAdminUrl, prefix),
    };
  }
  const folder = await createTemporaryFolder("test-postgres", await fastFolder());
  const postgres = await startEmbeddedPostgres({ root: folder.path, settings: fastUnsafeSettings });
  return {
    adminUrl: postgres.ownerUrl,
    prefix,
    close: async () => {
      await postgres.stop();
      await folder.remove();
    },
  };
}

/** Runs `work` with one admin connection and closes it afterwards. */
export async function withAdmin<T>(
  adminUrl: string,
  work: (admin: Client) => Promise<T>,
): Promise<T> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  await withAdmin(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
      [prefix],
    );
    for (const { datname } of rows) {
      await admin.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(datname)} WITH (FORCE)`);
    }
  });
}
