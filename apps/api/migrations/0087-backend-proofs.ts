import { sql, type Kysely } from "kysely";

/** No name that a backend may have is made of numbers alone, or has a colon. */
const isIpAddress = sql`(backend.host ~ '^[0-9]+([.][0-9]+){3}$' or backend.host like '%:%')`;

/**
 * Players are relayed to a backend only once it has answered as Minecraft or its owner has proved
 * it. A proof belongs to an address and a shield, so that an address that comes back keeps its own.
 * The addresses in use have taken players until now: they are proven by the upgrade. For a group of
 * the game `other` that holds for an IP address only, which it keeps as proved: a name could lead to
 * another server tomorrow, and whether it leads to Minecraft cannot be asked there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backend_proofs (
      shield_id uuid not null references shields (id) on delete cascade,
      host text not null,
      port integer not null,
      kind text not null check (kind in ('upgrade', 'minecraft', 'motd', 'greeting', 'record')),
      -- The IP address that the proof holds for; null where an edge only saw an answer.
      address text check (length(address) <= 45),
      proven_at timestamptz not null,
      -- False until a configuration with it was committed.
      published boolean not null default false,
      primary key (shield_id, host, port)
    );
  `.execute(db);
  await sql`
    create index backend_proofs_unpublished on backend_proofs (shield_id) where not published
  `.execute(db);
  await sql`
    insert into backend_proofs (shield_id, host, port, kind, address, proven_at, published)
    select owning.shield_id, backend.host, backend.port, 'upgrade',
      max(backend.host) filter (where owning.game = 'other' and ${isIpAddress}), now(), true
    from backends backend join backend_groups owning on owning.id = backend.group_id
    group by owning.shield_id, backend.host, backend.port
  `.execute(db);
  await sql`
    alter table backends
      add column proof_checks integer not null default 0,
      add column proof_check_at timestamptz;
  `.execute(db);
}
