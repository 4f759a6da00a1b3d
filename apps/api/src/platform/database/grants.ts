import { sql } from "kysely";
import { appendOnlyTables } from "./append-only.ts";
import type { Executor } from "./db.ts";

/**
 * Gives the runtime role exactly what it needs on every table, after each migration: default
 * privileges alone would miss what another owner made and cannot spare the append-only tables.
 */
export async function grantRuntimeRole(
  owner: Executor,
  runtimeRole: string,
  jobSchema: string,
): Promise<void> {
  const role = sql.id(runtimeRole);
  await sql`revoke all on schema public from ${role}`.execute(owner);
  await sql`grant usage on schema public to ${role}`.execute(owner);
  for (const table of await tablesOf(owner, "public")) {
    const name = sql.id("public", table);
    await sql`revoke all on ${name} from ${role}, public`.execute(owner);
    if (table.startsWith("kysely_migration")) continue;
    const rights = appendOnlyTables.includes(table)
      ? sql`select, insert`
      : sql`select, insert, update, delete`;
    await sql`grant ${rights} on ${name} to ${role}`.execute(owner);
  }
  await sql`grant usage, select on all sequences in schema public to ${role}`.execute(owner);

  const jobs = sql.id(jobSchema);
  await sql`grant usage on schema ${jobs} to ${role}`.execute(owner);
  await sql`grant select, insert, update, delete on all tables in schema ${jobs} to ${role}`.execute(
    owner,
  );
  await sql`grant usage, select on all sequences in schema ${jobs} to ${role}`.execute(owner);
  await sql`grant execute on all functions in schema ${jobs} to ${role}`.execute(owner);
}

async function tablesOf(owner: Executor, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p', 'v')
    order by c.relname
  `.execute(owner);
  return rows.map((row) => row.name);
}
