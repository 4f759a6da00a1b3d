import { sql, type RawBuilder } from "kysely";

/**
 * An edge heard from within this time is online. Edges report every few seconds; liveness goes
 * by the database's clock on both sides, because the product's clock can be moved.
 */
export const onlineSeconds = 30;

/** SQL condition: the timestamp column was touched within `onlineSeconds`. */
export function isRecent(column: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(column)} > clock_timestamp() - make_interval(secs => ${onlineSeconds}), false)`;
}
