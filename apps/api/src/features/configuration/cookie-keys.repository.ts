import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";

/** Null renews every location. Salts are random, so that none returns, not even after a restore. */
export async function renewSalts(trx: Trx, location: string | null): Promise<void> {
  await sql`
    update locations set cookie_salt = (random() * 1e15)::bigint
    where ${location}::text is null or name = ${location}
  `.execute(trx);
}

/** The salt of all locations whose edges have the shield, will have it or had it. */
export async function selectSalt(
  trx: Trx,
  shieldId: string,
  locations: readonly string[],
): Promise<string> {
  const { rows } = await sql<{ salt: string }>`
    select coalesce(sum(cookie_salt), 0)::text as salt from locations
    where name = any(${locations}::text[]) or name in (
      select unnest(config.locations || config.left_locations) from shield_configs config
      where config.shield_id = ${shieldId})
  `.execute(trx);
  return rows[0]?.salt ?? "0";
}

/** Whether the configuration `other` contains a key that was renewed since. */
export const hasOldKey = sql<boolean>`cardinality(other.locations) > 0
  and other.cookie_salt <> (select coalesce(sum(cookie_salt), 0) from locations
    where name = any(other.locations || other.left_locations))`;
