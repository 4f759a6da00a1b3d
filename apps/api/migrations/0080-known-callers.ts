import { sql, type Kysely } from "kysely";

/**
 * Devices and networks that an account was logged in from: calls from there are counted apart from
 * those of strangers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table known_devices (
      user_id uuid not null references users (id) on delete cascade,
      token_hash text not null,
      created_at timestamptz not null,
      last_login_at timestamptz not null,
      primary key (user_id, token_hash)
    );
    create index known_devices_last_login_at on known_devices (last_login_at);

    create table known_networks (
      user_id uuid not null references users (id) on delete cascade,
      -- IPv4 /24 or IPv6 /48
      network text not null,
      created_at timestamptz not null,
      last_login_at timestamptz not null,
      primary key (user_id, network)
    );
    create index known_networks_last_login_at on known_networks (last_login_at);

    alter table users add column first_login_at timestamptz;
    update users set first_login_at = created_at where email_verified_at is not null;

    alter table password_resets
      add column asked_by text not null default 'stranger'
        check (asked_by in ('stranger', 'network', 'device')),
      add column network_tries integer not null default 0,
      add column device_tries integer not null default 0;
  `.execute(db);

  // Live sessions show where accounts were logged in from. Addresses are text and may be unusual
  // ones; those that are passed over here are learnt with the next login.
  await sql`
    insert into known_networks (user_id, network, created_at, last_login_at)
    select user_id, network, min(created_at), max(created_at)
    from (
      select user_id, created_at,
        case
          when ip ~ '^(::ffff:)?([0-9]+[.]){3}[0-9]+$'
            then regexp_replace(replace(ip, '::ffff:', ''), '[0-9]+$', '0/24')
          when ip ~ '^([0-9a-f]+:){3}'
            then substring(ip from '^[0-9a-f]+:[0-9a-f]+:[0-9a-f]+') || '::/48'
        end as network
      from sessions
    ) as seen
    where network is not null
    group by user_id, network
  `.execute(db);
}
