import type { TestProject } from "vitest/node";
import { provideDatabaseServer } from "./database-server.ts";

/**
 * Vitest global setup: one database server per run. `DATABASE_URL`, an admin connection, replaces the
 * embedded PostgreSQL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["DATABASE_URL"];
  const server = await provideDatabaseServer(given === "" ? undefined : given);
  project.provide("databaseServer", { adminUrl: server.adminUrl, prefix: server.prefix });
  return () => server.close();
}
