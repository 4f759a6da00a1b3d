import type { Client } from "pg";

export interface BulkOptions {
  /** Shield whose rows are copied. */
  readonly template: string;
  /** Users that will send requests; the first shields belong to them. */
  readonly emails: readonly string[];
  readonly shieldsEach: number;
  readonly shields: number;
}

/** Shields of each owner that sends no requests. */
const shieldsOfOthers = 5;
/** Shields with a day of hourly counters and a live gauge. */
const busyShields = 20_000;
/** Shields with counters per minute. */
const veryBusyShields = 2_000;

/**
 * Fills the database by SQL: complete shields, owners, a day of hourly counters, an hour of minute
 * counters and live gauges of busy shields. Rows are copies of the template's rows with new keys, so
 * that a new column needs no change here.
 */
export async function insertShields(client: Client, options: BulkOptions): Promise<void> {
  const others = Math.ceil(options.shields / shieldsOfOthers);
  await client.query("begin");
  // References hold by construction; checking two million of them takes minutes.
  await client.query("set local session_replication_role = replica");
  await client.query(`create temp table bench_users (n int primary key, id uuid)`);
  await client.query(
    `insert into bench_users select n, gen_random_uuid() from generate_series(1, $1) n`,
    [others],
  );
  await client.query(
    `insert into users
     select copy.* from bench_users b, users u,
       jsonb_populate_record(null::users, to_jsonb(u) || jsonb_build_object('id', b.id,
         'email', 'bench' || b.n || '@example.com',
         'email_key', 'bench' || b.n || '@example.com')) copy
     where u.email = $1`,
    [options.emails[0]],
  );
  await client.query(
    `create temp table bench_shields as
     select n, gen_random_uuid() as id, gen_random_uuid() as group_id, coalesce(
       (select id from users where email_key = ($1::text[])[(n - 1) / $2 + 1]),
       (select id from bench_users b where b.n = (n.n - 1) / $3 + 1)) as owner_id
     from generate_series(1, $4) n`,
    [options.emails, options.shieldsEach, shieldsOfOthers, options.shields],
  );
  for (const { table, of, columns } of copies) {
    await client.query(
      `insert into ${table}
       select copy.* from bench_shields s, ${table} t,
         jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${columns})) copy
       where ${of}`,
      [options.template],
    );
  }
  for (const [statement, values] of telemetry) await client.query(statement, [...values]);
  await client.query("commit");
  await client.query("analyze");
}

const ofShield = "t.shield_id = $1";

/** Tables of a shield in the order of their references, and the columns that differ in each copy. */
const copies = [
  {
    table: "shields",
    of: "t.id = $1",
    columns: `'id', s.id, 'owner_id', s.owner_id, 'server_name', 'Bench ' || s.n,
      'cname_record', 'bench' || s.n || '.gs.localhost'`,
  },
  {
    table: "shield_members",
    of: ofShield,
    columns: `'id', gen_random_uuid(), 'shield_id', s.id, 'user_id', s.owner_id`,
  },
  {
    table: "shield_domains",
    of: ofShield,
    columns: `'id', gen_random_uuid(), 'shield_id', s.id, 'name', 'b' || s.n || '.example.com'`,
  },
  {
    table: "backend_groups",
    of: ofShield,
    columns: `'id', s.group_id, 'shield_id', s.id`,
  },
  {
    table: "backends",
    of: "t.group_id in (select id from backend_groups where shield_id = $1)",
    columns: `'id', gen_random_uuid(), 'group_id', s.group_id`,
  },
  { table: "shield_firewalls", of: ofShield, columns: `'shield_id', s.id` },
  { table: "shield_messages", of: ofShield, columns: `'shield_id', s.id` },
  { table: "shield_caching", of: ofShield, columns: `'shield_id', s.id` },
] as const;

const telemetry: readonly [string, readonly number[]][] = [
  [
    `insert into telemetry_hours (shield_id, start, joins, pings, refused, bytes_up, bytes_down, player_seconds)
     select s.id, date_trunc('hour', now()) - h * interval '1 hour',
       s.n % 50, 1000, s.n % 7, 1e6 * (s.n % 90), 1e7 * (s.n % 90), 3600 * (s.n % 40)
     from bench_shields s, generate_series(0, 23) h where s.n <= $1`,
    [busyShields],
  ],
  [
    `insert into telemetry_minutes (shield_id, start, edge_id, joins, pings, refused, bytes_up, bytes_down, player_seconds, players_max)
     select s.id, date_trunc('minute', now()) - m * interval '1 minute', e.id,
       1, 20, 0, 20000, 200000, 60 * (s.n % 40), s.n % 40
     from bench_shields s, edges e, generate_series(0, 59) m
     where s.n <= $1 and e.kind = 'edge'`,
    [veryBusyShields],
  ],
  [
    `insert into live_gauges (edge_id, shield_id, players, connections_per_second, bandwidth_bps, at)
     select e.id, s.id, s.n % 40, 0.5, 100000, now()
     from bench_shields s, edges e where s.n <= $1 and e.kind = 'edge'`,
    [busyShields],
  ],
];
