import { sql } from "kysely";
import type { Executor } from "./db.ts";

interface Missing {
  readonly parent_index: string;
  readonly partition: string;
  readonly name: string;
  readonly definition: string;
  /** An attempt that failed half-way has left an index that is not used. */
  readonly broken: boolean;
}

/**
 * Builds the indexes that were declared `on only` a partitioned table, on each of its partitions that
 * has none. Concurrently, because the tables are live: so it cannot be part of a migration, which is
 * a transaction. Safe to repeat and to interrupt. A failure is logged and the next call tries again,
 * because the indexes only make reading faster. Never rejects.
 */
export async function finishIndexes(owner: Executor, log: (line: string) => void): Promise<void> {
  try {
    for (const index of await selectMissing(owner)) await finishIndex(owner, index, log);
  } catch (error) {
    log(`indexes: not built: ${messageOf(error)}`);
  }
}

async function finishIndex(
  owner: Executor,
  index: Missing,
  log: (line: string) => void,
): Promise<void> {
  const name = sql.id("public", index.name);
  try {
    // It may be dropped in the meantime, because its days are over.
    if (!(await exists(owner, index.partition))) return;
    if (index.broken) await sql`drop index concurrently if exists ${name}`.execute(owner);
    await sql`
      create index concurrently if not exists ${sql.id(index.name)}
      on ${sql.id("public", index.partition)} ${sql.raw(index.definition)}
    `.execute(owner);
    await sql`
      alter index ${sql.id("public", index.parent_index)} attach partition ${name}
    `.execute(owner);
    log(`index ${index.name}: built`);
  } catch (error) {
    log(`index ${index.name}: not built: ${messageOf(error)}`);
  }
}

async function exists(owner: Executor, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${`public.${table}`}) is not null as found
  `.execute(owner);
  return rows[0]?.found === true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function selectMissing(owner: Executor): Promise<Missing[]> {
  const { rows } = await sql<Missing>`
    select parent.relname as parent_index, part.relname as partition,
      named.name, coalesce(not half.indisvalid, false) as broken,
      -- From USING on; before it are names.
      substring(pg_get_indexdef(parent.oid) from ' (USING .*)$') as definition
    from pg_index i
    join pg_class parent on parent.oid = i.indexrelid and parent.relkind = 'I'
    join pg_class whole on whole.oid = i.indrelid and whole.relnamespace = 'public'::regnamespace
    join pg_inherits child on child.inhparent = i.indrelid
    join pg_class part on part.oid = child.inhrelid
    cross join lateral (select left(part.relname || '_' ||
      replace(parent.relname, whole.relname || '_', ''), 63) as name) named
    left join pg_class own on own.relname = named.name
      and own.relnamespace = 'public'::regnamespace
    left join pg_index half on half.indexrelid = own.oid
    where not i.indisvalid and not exists (
      select from pg_inherits attached
      join pg_index of_part on of_part.indexrelid = attached.inhrelid
      where attached.inhparent = parent.oid and of_part.indrelid = part.oid)
    -- The newest days are read most.
    order by part.relname desc, parent.relname
  `.execute(owner);
  return rows;
}
