import type { Client } from "pg";

export interface BulkLogins {
  readonly shieldId: string;
  readonly count: number;
  readonly days: number;
}

/**
 * Fills the log of a shield evenly over the days, as an owner. One entry in a thousand is of a player
 * and not of a bot, and each trace code is there once.
 */
export async function insertLogins(client: Client, { shieldId, count, days }: BulkLogins) {
  // Partitions of days past exist only where the product ran on them.
  for (let day = 0; day <= days; day += 1) {
    const { rows } = await client.query<{ name: string; first: string; last: string }>(
      `select 'login_entries_' || to_char(d, 'YYYYMMDD') as name, d || ' 00:00+00' as first,
         d + 1 || ' 00:00+00' as last
       from (select (now() at time zone 'UTC')::date - $1::int as d) each`,
      [day],
    );
    const [{ name, first, last } = { name: "", first: "", last: "" }] = rows;
    await client.query(
      `create table if not exists ${name} partition of login_entries
       for values from ('${first}') to ('${last}')`,
    );
  }
  await client.query(
    "grant select, insert, update, delete on all tables in schema public to public",
  );
  const atOnce = 200_000;
  for (let from = 0; from < count; from += atOnce) {
    await client.query(
      `insert into login_entries (id, shield_id, at, edge_id, verdict, shadow, player, ip, country,
         asn, network, protocol, host, trace, facts)
       select gen_random_uuid(), $1::uuid, now() - (n::float8 / $2) * $3 * interval '1 day',
         gen_random_uuid(),
         (array['joined', 'verified', 'left', 'rate', 'bot_check', 'vpn'])[1 + n % 6], n % 97 = 0,
         case when n % 1000 = 999 then 'Player_' || n else 'bot_' || n end,
         '10.0.0.0'::inet + (n * 7919) % 16000000, (array['DE', 'FR', 'US', 'BR'])[1 + n % 4],
         64500 + n % 50, 'Example Telecom', 765,
         case when n % 3 = 0 then 'mc.example.com' else 'play.example.net' end,
         translate(lpad(upper(to_hex(n)), 8, '0'), 'ILOU', 'WXYZ'), '{"limit": "20/s"}'
       from generate_series($4::bigint, $5::bigint) n`,
      [shieldId, count, days, from, Math.min(from + atOnce, count) - 1],
    );
  }
  await client.query("vacuum analyze login_entries");
}

const searchIndexes = ["search", "ip", "player", "country", "host", "verdict", "trace"].map(
  (name) => `login_entries_${name}`,
);

/**
 * Without them, the same calls show their worth, and rows are inserted in a fraction of the time.
 *
 * @returns statements that create them again
 */
export async function dropLogIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ definition: string }>(
    `select replace(pg_get_indexdef(oid), ' ON ONLY ', ' ON ') as definition
     from pg_class where relname = any($1)`,
    [searchIndexes],
  );
  if (rows.length !== searchIndexes.length) throw new Error("The log has other indexes");
  for (const name of searchIndexes) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

export async function createLogIndexes(client: Client, definitions: readonly string[]) {
  await client.query("set maintenance_work_mem = '512MB'");
  for (const definition of definitions) await client.query(definition);
  await client.query("vacuum analyze login_entries");
}
