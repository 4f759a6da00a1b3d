import { sql, type Kysely } from "kysely";

/** Counters of the edges. Minutes are for the last hours, hours for everything longer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One row per report with counters; a repeat finds its own and is not counted again.
    create table telemetry_reports (
      edge_id uuid not null references edges (id),
      boot_id uuid not null,
      seq bigint not null,
      received_at timestamptz not null default now(),
      primary key (edge_id, boot_id, seq)
    );
    create index telemetry_reports_received on telemetry_reports (received_at);

    create table traffic_minutes (
      shield_id uuid not null references shields (id),
      minute timestamptz not null,
      edge_id uuid not null references edges (id),
      joins bigint not null,
      pings bigint not null,
      refused bigint not null,
      bytes_up bigint not null,
      bytes_down bigint not null,
      player_seconds bigint not null,
      players_max bigint not null,
      primary key (shield_id, minute, edge_id)
    );
    create index traffic_minutes_minute on traffic_minutes (minute);

    create table traffic_hours (
      shield_id uuid not null references shields (id),
      hour timestamptz not null,
      joins bigint not null,
      pings bigint not null,
      refused bigint not null,
      bytes_up bigint not null,
      bytes_down bigint not null,
      player_seconds bigint not null,
      primary key (shield_id, hour)
    );

    create table traffic_refusals (
      shield_id uuid not null references shields (id),
      hour timestamptz not null,
      reason text not null,
      count bigint not null,
      primary key (shield_id, hour, reason)
    );

    create table live_gauges (
      edge_id uuid not null references edges (id),
      shield_id uuid not null references shields (id),
      players bigint not null,
      connections_per_second double precision not null,
      bandwidth_bps bigint not null,
      at timestamptz not null,
      primary key (edge_id, shield_id)
    );
    create index live_gauges_shield on live_gauges (shield_id);
  `.execute(db);
}
