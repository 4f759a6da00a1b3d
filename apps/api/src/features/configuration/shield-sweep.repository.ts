import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { ShieldStatus } from "#src/schema/shields.ts";

/** Rows of shields, and the column that says when they are due. */
export type DueColumn =
  | readonly ["firewall_network_rules", "expires_at"]
  | readonly ["shield_firewalls", "next_end_at"]
  | readonly ["shield_left_locations", "until"]
  | readonly ["shield_try_addresses", "expires_at"];

/** The shield that has been due for the longest at that time, without those in `but`. */
export async function selectDueShield(
  db: Executor,
  [table, column]: DueColumn,
  { before, but }: { readonly before: Date; readonly but: readonly string[] },
): Promise<string | undefined> {
  const due = sql.ref(column);
  const { rows } = await sql<{ shield_id: string }>`
    select shield_id from ${sql.table(table)}
    where ${due} <= ${before} and shield_id <> all (${but}::uuid[])
    order by ${due} limit 1
  `.execute(db);
  return rows[0]?.shield_id;
}

/** Holds the shield as every change of it does, whatever its status is. */
export async function lockToEnd(trx: Trx, shieldId: string): Promise<ShieldStatus | undefined> {
  const row = await trx
    .selectFrom("shields")
    .select("status")
    .where("id", "=", shieldId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.status;
}
