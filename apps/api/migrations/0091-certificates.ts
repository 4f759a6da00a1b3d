import { sql, type Kysely } from "kysely";

/** The processes of an installation share their certificate, and what they need to get one from a CA (ACME). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table certificates (
      domain text primary key check (length(domain) <= 253),
      -- PEM, the leaf first; null until the CA has issued one.
      chain text,
      -- The private key, encrypted.
      sealed_key text,
      -- Until then one process orders, or none because tries have failed.
      order_blocked_until timestamptz,
      -- Tries in a row.
      failures integer not null default 0,
      check ((chain is null) = (sealed_key is null))
    );

    create table acme_accounts (
      directory_url text primary key,
      sealed_key text not null
    );

    -- Answers that the CA asks for; each process gives them.
    create table acme_challenges (
      token text primary key check (length(token) <= 200),
      answer text not null,
      expires_at timestamptz not null
    );
  `.execute(db);
}
