import type { Client } from "pg";

/** A row's counters but for its shield and start: a shield with players, refusals and some joins. */
const columns = `joins, pings, status_hits, refused, bytes_up, bytes_down, attack_bytes, player_seconds,
  players_max, connections_max, checks, checks_up, latency_ms, reasons, tops, sketch`;
const values = (minutes: number, players: number) => `
  ${minutes}, ${20 * minutes}, ${18 * minutes}, ${2 * minutes}, ${20_000 * minutes},
  ${300_000 * minutes}, ${300 * minutes}, ${1_200 * minutes}, 30, 4, ${6 * minutes}, ${6 * minutes},
  ${120 * minutes}, '{"r:rate": ${minutes}, "r:bot_check": ${minutes}}'::jsonb,
  '{"p:767": ${minutes}, "p:769": ${minutes}, "c:DE": ${minutes}, "n:64496 Example": ${minutes}}'::jsonb,
  (select array_agg(((h + n) * 37 % 4096) * 16 + 1 - 32768)::smallint[] from generate_series(1, ${players}) n)`;

/**
 * 13 months of hours and days, 14 days of ten minutes and 48 hours of minutes of every shield, as the
 * rollups would have them, and 30 days of minutes of one shield in a table of their own.
 */
export async function fillTelemetry(client: Client, id: string): Promise<void> {
  await client.query(`set statement_timeout = 0`);
  await client.query(`
    do $partitions$
    declare
      month date := date_trunc('month', now() at time zone 'UTC')::date;
      given date;
      parent text;
    begin
      for given in select generate_series(month - interval '14 months', month, '1 month')::date loop
        foreach parent in array array['telemetry_hours', 'telemetry_days'] loop
          perform make_telemetry_partition(parent, given, (given + interval '1 month')::date);
        end loop;
      end loop;
      for given in select generate_series(current_date - 15, current_date, '1 day')::date loop
        perform make_telemetry_partition('telemetry_tens', given, given + 1);
      end loop;
    end $partitions$
  `);
  await client.query("delete from telemetry_hours");
  await client.query("delete from telemetry_minutes");
  const into = async (table: string, step: string, back: string, minutes: number) => {
    await client.query(`
      insert into telemetry_${table} (shield_id, start, ${columns})
      select id, start, ${values(minutes, Math.min(20, minutes))}
      from shields, generate_series(
        date_bin('${step}', now() - interval '${back}', timestamptz '2000-01-01 00:00:00+00'),
        now(), '${step}') with ordinality as times (start, h)
    `);
  };
  await into("days", "1 day", "396 days", 1_440);
  await into("hours", "1 hour", "396 days", 60);
  await into("tens", "10 minutes", "14 days", 10);
  await client.query(`
    insert into telemetry_minutes (shield_id, start, edge_id, ${columns})
    select shields.id, start, edges.id, ${values(1, 1)}
    from shields, (select id from edges where kind = 'edge' limit 1) edges,
      generate_series(date_trunc('minute', now() - interval '48 hours'), now(), '1 minute')
        with ordinality as times (start, h)
  `);
  // The last minutes are not rolled up, as in a product that runs.
  await client.query(`
    insert into telemetry_reports (edge_id, boot_id, seq, first_minute, last_minute, rolled)
    select id, gen_random_uuid(), 1, date_trunc('minute', now() - interval '9 minutes'),
      date_trunc('minute', now()), 0
    from edges where kind = 'edge' limit 1
  `);
  await client.query(`
    insert into telemetry_coverage (location, step, start)
    select 'local', step, start from unnest(array[60, 600, 3600, 86400]) as step, generate_series(
      date_bin(make_interval(secs => step), now() - interval '396 days',
        timestamptz '2000-01-01 00:00:00+00'), now(), make_interval(secs => step)) as start
    where step > 600 or start > now() - make_interval(days => step / 40)
    on conflict do nothing
  `);
  await client.query("create table bench_minutes (like telemetry_days)");
  await client.query(`
    insert into bench_minutes (shield_id, start, ${columns})
    select '${id}', start, ${values(1, 1)}
    from generate_series(date_trunc('minute', now() - interval '30 days'), now(), '1 minute')
      with ordinality as times (start, h)
  `);
  await client.query("create index on bench_minutes (shield_id, start)");
  await client.query("update shields set created_at = now() - interval '2 years'");
  await client.query("update pricing_plans set limits = limits - 'analytics_days'");
  // As autovacuum leaves tables to which rows are only added.
  await client.query("vacuum analyze");
}

/** @returns milliseconds: median of five sums of so many days by the hour, with reasons */
export async function minutesAlone(client: Client, id: string, days: number): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now();
    await client.query(
      `with source as (
         select *, date_trunc('hour', start) as bucket from bench_minutes
         where shield_id = $1 and start >= now() - make_interval(days => $2)
       ), summed as (
         select bucket, sum(joins) as joins, sum(pings) as pings, sum(bytes_up) as bytes_up,
           sum(bytes_down) as bytes_down, max(players_max) as players_max from source group by 1
       ), reasons as (
         select bucket, jsonb_object_agg(key, total) as reasons from (
           select bucket, key, sum(value::bigint) as total
           from source, jsonb_each_text(reasons) group by 1, 2
         ) counts group by 1
       ), tops as (
         select key, sum(value::bigint) as total from source, jsonb_each_text(tops) group by 1
       ), players as (
         select entry >> 4, max(entry) from source, unnest(sketch) as entry group by entry >> 4
       )
       select * from summed left join reasons using (bucket),
         (select count(*) from tops) counted, (select count(*) from players) seen`,
      [id, days],
    );
    taken.push(performance.now() - startedAt);
  }
  return taken.toSorted((a, b) => a - b)[2] ?? 0;
}
