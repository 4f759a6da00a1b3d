import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { appendOnlyTables } from "./append-only.ts";
import type { Db } from "./db.ts";

/** PostgreSQL may still be starting, for instance after the machine did. */
const startTimeoutMs = 20_000;
const pauseMs = 250;

/** A reason not to start that an operator can act on. */
export class StartError extends Error {
  override name = "StartError";
}

/** @throws StartError when the database does not answer for some seconds or is not migrated */
export async function waitForDatabase(db: Db): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    try {
      await sql`select 1`.execute(db);
      break;
    } catch (error) {
      if (performance.now() > deadline) {
        throw new StartError("PostgreSQL at DATABASE_URL does not answer", { cause: error });
      }
      await delay(pauseMs);
    }
  }
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('public.audit_log') is not null as found
  `.execute(db);
  if (rows[0]?.found !== true) {
    throw new StartError("The database has no tables yet: run `npm run palisade -- migrate`");
  }
}

/**
 * Refuses a role that could rewrite the ledger or the audit log: REVOKE binds neither superusers nor
 * the owner of a table.
 *
 * @throws StartError naming the role and what is wrong with it
 */
export async function requireHarmlessRole(db: Db): Promise<void> {
  const { rows } = await sql<{ role: string; superuser: boolean; version: number }>`
    select current_user as role, rolsuper as superuser,
      current_setting('server_version_num')::int as version
    from pg_roles where rolname = current_user
  `.execute(db);
  const role = rows[0];
  if (role === undefined || role.superuser) {
    throw new StartError(
      `DATABASE_URL connects as the superuser ${role?.role ?? ""}: use the runtime role, which is bound by grants`,
    );
  }
  if (role.version < 150_000) throw new StartError("PostgreSQL 15 or newer is needed");
  for (const table of appendOnlyTables) {
    const rights = await sql<{ could: boolean }>`
      select has_table_privilege(current_user, c.oid, 'UPDATE, DELETE, TRUNCATE')
        or pg_has_role(current_user, c.relowner, 'MEMBER') as could
      from pg_class c where c.oid = to_regclass(${`public.${table}`})
    `.execute(db);
    if (rights.rows[0]?.could !== false) {
      throw new StartError(
        `The role ${role.role} could change or remove rows of ${table}: run \`npm run palisade -- migrate\` and let DATABASE_URL name the runtime role, not the owner`,
      );
    }
  }
}

export function answersQueries(db: Db): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
}
