import { sql, type Kysely } from "kysely";

/**
 * VAT: an account that it is collected on, what VIES said about VAT ids, and the countries that
 * payments named. The list of account kinds is extended as it is found, so that kinds which other
 * migrations added stay.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      definition text;
    begin
      select pg_get_constraintdef(oid) into strict definition from pg_constraint
        where conrelid = 'ledger_accounts'::regclass and conname = 'ledger_accounts_kind_check';
      alter table ledger_accounts drop constraint ledger_accounts_kind_check;
      execute 'alter table ledger_accounts add constraint ledger_accounts_kind_check '
        || replace(definition, 'ARRAY[', 'ARRAY[''vat_payable''::text, ');
    end
    $$;
    insert into ledger_accounts (id, kind) values (gen_random_uuid(), 'vat_payable');

    create table vat_id_checks (
      user_id uuid primary key references users (id),
      -- What was asked about; another number of the profile is asked about anew.
      country text not null,
      vat_id text not null,
      -- The last answer; null: none yet.
      is_valid boolean,
      answered_at timestamptz,
      -- Of the answer: the registered name, and the number that proves the enquiry.
      name text,
      reference text,
      -- Enquiries without an answer since the last answer.
      tries integer not null default 0,
      next_at timestamptz not null,
      check ((is_valid is null) = (answered_at is null))
    );
    create index profiles_vat_ids on profiles (user_id) where vat_id is not null;

    create table vat_evidence (
      user_id uuid not null references users (id),
      source text not null check (source in ('card', 'wallet', 'ip')),
      country text not null check (country ~ '^[A-Z]{2}$'),
      seen_at timestamptz not null,
      primary key (user_id, source)
    );
  `.execute(db);
  for (const table of ["vat_id_checks", "vat_evidence"]) {
    await sql`
      create trigger ${sql.id(`${table}_user_exists`)} before insert on ${sql.table(table)}
        for each row execute function refuse_deleted_user('user_id')
    `.execute(db);
  }
}
