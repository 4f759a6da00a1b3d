import { randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { inject } from "vitest";
import { type DatabaseServer, withAdmin } from "./database-server.ts";

export interface DatabaseUrls {
  /** Owner of the database. Not a superuser: migrations must not need one. */
  readonly ownerUrl: string;
  /** Role of the programs. */
  readonly runtimeUrl: string;
}

export interface TestDatabase extends DatabaseUrls {
  /** Drops the database and disconnects its clients. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Name of the template; test files with the same name share it. */
  readonly template: string;
  /** Fills the template once per run, however many test files ask at the same time. */
  readonly prepare: (urls: DatabaseUrls) => Promise<void>;
}

const OWNER_ROLE = "palisade_test_owner";
const RUNTIME_ROLE = "palisade_test_app";
/** For servers other than the embedded one, which ask for a password. */
const PASSWORD = "palisade-test";
/** Number of the advisory lock under which roles and templates are created. */
const SETUP_LOCK = 7_251_254;

/**
 * Creates a database for one test file, as a copy of a template.
 *
 * @example
 * const database = await createTestDatabase({ template: "api", prepare: (urls) => migrate(urls) });
 * afterAll(() => database.drop());
 */
export function createTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  return createDatabaseOn(inject("databaseServer"), options);
}

/** Like {@link createTestDatabase}, on another server than the test run's. */
export async function createDatabaseOn(
  server: DatabaseServer,
  options: TestDatabaseOptions,
): Promise<TestDatabase> {
  const name = `${server.prefix}${randomBytes(6).toString("hex")}`;
  await withAdmin(server.adminUrl, async (admin) => {
    // The lock belongs to the session, so it also ends with a killed test process.
    await admin.query("SELECT pg_advisory_lock($1)", [SETUP_LOCK]);
    await ensureRole(admin, OWNER_ROLE);
    await ensureRole(admin, RUNTIME_ROLE);
    const template = await ensureTemplate(admin, server, options);
    await createDatabase(admin, name, template);
  });
  return {
    ...databaseUrls(server, name),
    drop: () =>
      withAdmin(server.adminUrl, async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
      }),
  };
}

async function ensureRole(admin: Client, role: string): Promise<void> {
  const known = await admin.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
  if (known.rowCount !== 0) return;
  await admin.query(
    `CREATE ROLE ${escapeIdentifier(role)} LOGIN NOSUPERUSER PASSWORD ${escapeLiteral(PASSWORD)}`,
  );
}

/** The template gets its name only when it is filled: after a failed `prepare` it is created again. */
async function ensureTemplate(
  admin: Client,
  server: DatabaseServer,
  { template, prepare }: TestDatabaseOptions,
): Promise<string> {
  const finished = `${server.prefix}template_${template}`;
  const known = await admin.query("SELECT FROM pg_database WHERE datname = $1", [finished]);
  if (known.rowCount !== 0) return finished;
  const unfinished = `${finished}_unfinished`;
  await admin.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(unfinished)} WITH (FORCE)`);
  await createDatabase(admin, unfinished, "template1");
  await prepare(databaseUrls(server, unfinished));
  // A connection that `prepare` left open would make the copies fail; here it makes this statement fail.
  await admin.query(
    `ALTER DATABASE ${escapeIdentifier(unfinished)} RENAME TO ${escapeIdentifier(finished)}`,
  );
  return finished;
}

/** Copies the template's files; PostgreSQL's default would write every page of them to its log. */
async function createDatabase(admin: Client, name: string, template: string): Promise<void> {
  await admin.query(
    `CREATE DATABASE ${escapeIdentifier(name)} OWNER ${escapeIdentifier(OWNER_ROLE)}
     TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`,
  );
}

function databaseUrls(server: DatabaseServer, database: string): DatabaseUrls {
  const urlOf = (role: string): string => {
    const url = new URL(server.adminUrl);
    url.username = role;
    url.password = PASSWORD;
    url.pathname = `/${database}`;
    return url.href;
  };
  return { ownerUrl: urlOf(OWNER_ROLE), runtimeUrl: urlOf(RUNTIME_ROLE) };
}
