import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type RawBuilder,
} from "kysely";
import type { Database } from "#src/schema/database.ts";
import type { Db, Executor } from "./db.ts";
import { keepStatement } from "./statement-names.ts";

/** The values of a prepared query's calls, as expressions to build the query with. */
export type Given<P extends object> = { readonly [K in keyof P]: RawBuilder<P[K]> };

/** Stands in a compiled query where a value comes in. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A query builder or a raw statement of kysely. */
interface Buildable<O> {
  compile(db: Db): CompiledQuery<O>;
}

/** Compiles only: nothing can be executed with it. */
const builder: Db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * A query that is built once, and parsed and planned once per connection: for reads so frequent
 * that this costs more than their rows. Its text has to be the same whatever is given, so a list
 * is one array (`= any(...)`), and it names its columns: a `*` would fail on every connection that
 * has prepared it once a migration adds one.
 *
 * @example
 * const ofOwner = prepared((db, given: Given<{ ownerId: string }>) =>
 *   db.selectFrom("shields").select("id").where("owner_id", "=", given.ownerId),
 * );
 * const rows = await ofOwner(executor, { ownerId });
 */
export function prepared<P extends object, O>(
  build: (db: Db, given: Given<P>) => Buildable<O>,
): (executor: Executor, values: P) => Promise<O[]> {
  let kept: CompiledQuery<O> | undefined;
  return async (executor, values) => {
    kept ??= compile(build);
    const at = new Map<string, unknown>(Object.entries(values));
    const parameters = kept.parameters.map((value) =>
      value instanceof Slot ? at.get(value.name) : value,
    );
    return (await executor.executeQuery<O>({ ...kept, parameters })).rows;
  };
}

function compile<P extends object, O>(
  build: (db: Db, given: Given<P>) => Buildable<O>,
): CompiledQuery<O> {
  const slots = new Proxy({} as Given<P>, {
    get: (_slots, name) => sql`${new Slot(String(name))}`,
  });
  const query = build(builder, slots).compile(builder);
  keepStatement(query.sql);
  return query;
}
