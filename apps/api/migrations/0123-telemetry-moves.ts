import { sql, type Kysely } from "kysely";

/**
 * Moves the counters of before into the tables with rollups. An api of before cannot store telemetry
 * until this has committed and not afterwards: edges keep their counters and repeat them to the next
 * api. Readers wait only for the end, when the former tables are dropped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Intervals of days and months are added in the zone of the session.
    set local timezone = 'UTC';
    lock table traffic_minutes, traffic_hours, traffic_refusals, traffic_shadowed
      in share row exclusive mode;

    do $partitions$
    declare
      -- As the copied periods below, also when midnight passes while this runs.
      today date := now()::date;
      month date := date_trunc('month', today)::date;
      given date;
    begin
      for given in select generate_series(today - 14, today + 1, '1 day')::date loop
        perform make_telemetry_partition('telemetry_tens', given, given + 1);
      end loop;
      for given in select generate_series(today - 3, today + 1, '1 day')::date loop
        perform make_telemetry_partition('telemetry_minutes', given, given + 1);
      end loop;
      for given in
        select generate_series(month - interval '14 months', month + interval '1 month', '1 month')::date
      loop
        perform make_telemetry_partition(
          'telemetry_hours', given, (given + interval '1 month')::date);
        perform make_telemetry_partition(
          'telemetry_days', given, (given + interval '1 month')::date);
      end loop;
    end $partitions$;

    create temporary table moved_reasons on commit drop as
    select shield_id, hour, jsonb_object_agg(key, count) as reasons from (
      select shield_id, hour, 'r:' || reason as key, count from traffic_refusals
      union all select shield_id, hour, 's:' || reason, count from traffic_shadowed
    ) counts group by 1, 2;

    insert into telemetry_hours (shield_id, start, joins, pings, status_hits, refused, challenged,
      verified, bytes_up, bytes_down, player_seconds, reasons)
    select shield_id, hour, nullif(joins, 0), nullif(pings, 0), nullif(status_hits, 0),
      nullif(refused, 0), nullif(challenged, 0), nullif(verified, 0), nullif(bytes_up, 0),
      nullif(bytes_down, 0), nullif(player_seconds, 0), reasons
    from traffic_hours left join moved_reasons using (shield_id, hour)
    where hour >= date_trunc('month', now(), 'UTC') - interval '13 months'
      and hour < now() + interval '1 day';

    insert into telemetry_minutes (shield_id, start, edge_id, joins, pings, status_hits, refused,
      bytes_up, bytes_down, player_seconds, players_max)
    select shield_id, minute, edge_id, nullif(joins, 0), nullif(pings, 0), nullif(status_hits, 0),
      nullif(refused, 0), nullif(bytes_up, 0), nullif(bytes_down, 0), nullif(player_seconds, 0),
      nullif(players_max, 0)
    from traffic_minutes
    where minute >= date_trunc('day', now(), 'UTC') - interval '3 days'
      and minute < now() + interval '1 day';

    -- What was kept by the hour only counts in the hour's first minute, so that a late report can
    -- have the hour computed anew.
    insert into telemetry_minutes (shield_id, start, edge_id, challenged, verified, reasons)
    select shield_id, start, '00000000-0000-0000-0000-000000000000', challenged, verified, reasons
    from telemetry_hours
    where start >= date_trunc('day', now(), 'UTC') - interval '3 days'
      and (challenged > 0 or verified > 0 or reasons is not null);

    insert into telemetry_tens (shield_id, start, joins, pings, status_hits, refused, bytes_up,
      bytes_down, player_seconds, players_max)
    select shield_id, date_bin('10 minutes', minute, timestamptz '2000-01-01 00:00:00+00'),
      nullif(sum(joins), 0), nullif(sum(pings), 0), nullif(sum(status_hits), 0),
      nullif(sum(refused), 0), nullif(sum(bytes_up), 0), nullif(sum(bytes_down), 0),
      nullif(sum(player_seconds), 0), nullif(max(players_max), 0)
    from (
      select shield_id, minute, sum(joins) as joins, sum(pings) as pings,
        sum(status_hits) as status_hits, sum(refused) as refused, sum(bytes_up) as bytes_up,
        sum(bytes_down) as bytes_down, sum(player_seconds) as player_seconds,
        sum(players_max) as players_max
      from traffic_minutes
      where minute >= date_trunc('day', now(), 'UTC') - interval '14 days'
        and minute < now() + interval '1 day'
      group by 1, 2
    ) minutes group by 1, 2;
    insert into telemetry_tens as known (shield_id, start, challenged, verified, reasons)
    select shield_id, start, challenged, verified, reasons from telemetry_minutes
    where edge_id = '00000000-0000-0000-0000-000000000000'
    on conflict (shield_id, start) do update set challenged = excluded.challenged,
      verified = excluded.verified, reasons = excluded.reasons;

    insert into telemetry_days (shield_id, start, joins, pings, status_hits, refused, challenged,
      verified, bytes_up, bytes_down, player_seconds)
    select shield_id, date_trunc('day', start, 'UTC'), sum(joins), sum(pings), sum(status_hits),
      sum(refused), sum(challenged), sum(verified), sum(bytes_up), sum(bytes_down),
      sum(player_seconds)
    from telemetry_hours group by 1, 2;
    update telemetry_days set reasons = counted.reasons from (
      select shield_id, day, jsonb_object_agg(key, total) as reasons from (
        select shield_id, date_trunc('day', start, 'UTC') as day, key, sum(value::bigint) as total
        from telemetry_hours, jsonb_each_text(reasons) group by 1, 2, 3
      ) counts group by 1, 2
    ) counted
    where counted.shield_id = telemetry_days.shield_id and counted.day = telemetry_days.start;

    -- Hours with a count were reported by an edge.
    insert into telemetry_coverage (location, step, start)
    select distinct location, step, date_bin(make_interval(secs => step), hour,
      timestamptz '2000-01-01 00:00:00+00')
    from (
      select distinct location, hour from traffic_hours
      join shields on shields.id = traffic_hours.shield_id
      where hour >= now() - interval '13 months' and hour < now() + interval '1 day'
    ) reported, unnest(array[3600, 86400]) as step;
    insert into telemetry_coverage (location, step, start)
    select distinct location, step, date_bin(make_interval(secs => step), minute,
      timestamptz '2000-01-01 00:00:00+00')
    from (
      select distinct edges.location, minute from traffic_minutes
      join edges on edges.id = traffic_minutes.edge_id
      where minute >= now() - interval '14 days' and minute < now() + interval '1 day'
    ) reported, unnest(array[60, 600, 3600, 86400]) as step
    on conflict do nothing;

    drop table traffic_minutes, traffic_hours, traffic_refusals, traffic_shadowed;
  `.execute(db);
}
