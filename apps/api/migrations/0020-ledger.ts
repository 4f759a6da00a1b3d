import { sql, type Kysely } from "kysely";

/**
 * Double-entry ledger in cents of EUR. Every txn moves money between accounts and
 * sums to 0: user accounts hold what users may spend, so a top-up is clearing -, cash + and a
 * purchase is cash -, revenue +. The runtime role cannot change or remove accounts, txns and
 * postings: platform/database/append-only.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_accounts (
      id uuid primary key,
      kind text not null check (kind in (
        'cash', 'bonus',
        'stripe_clearing', 'paypal_clearing', 'sandbox_clearing',
        'revenue', 'promo_expense', 'adjustments'
      )),
      user_id uuid references users (id),
      check ((user_id is not null) = (kind in ('cash', 'bonus'))),
      unique nulls not distinct (user_id, kind)
    );

    insert into ledger_accounts (id, kind)
    select gen_random_uuid(), kind from unnest(array[
      'stripe_clearing', 'paypal_clearing', 'sandbox_clearing',
      'revenue', 'promo_expense', 'adjustments'
    ]) as kind;

    create table ledger_balances (
      account_id uuid primary key references ledger_accounts (id),
      cents bigint not null default 0,
      debt_allowed boolean not null default false,
      check (cents >= 0 or debt_allowed)
    );

    create table ledger_txns (
      id uuid primary key,
      kind text not null check (kind in ('top_up', 'promo_bonus', 'purchase', 'adjustment')),
      -- What the txn is for, e.g. the bought shield: a repetition changes nothing.
      business_key text not null unique,
      note text,
      created_at timestamptz not null
    );

    create table ledger_postings (
      txn_id uuid not null references ledger_txns (id),
      account_id uuid not null references ledger_accounts (id),
      cents bigint not null check (cents <> 0),
      primary key (txn_id, account_id)
    );
    create index ledger_postings_account on ledger_postings (account_id, txn_id);

    create function ledger_require_balanced() returns trigger
    language plpgsql set search_path = public as $$
    declare
      txn uuid;
    begin
      if tg_table_name = 'ledger_txns' then txn := new.id; else txn := new.txn_id; end if;
      if (select count(*) < 2 or sum(cents) <> 0 from ledger_postings where txn_id = txn) then
        raise exception 'postings of ledger txn % do not sum to 0', txn
          using errcode = 'check_violation', constraint = 'ledger_txn_balanced';
      end if;
      return null;
    end
    $$;

    -- At commit, when all postings are there. Both tables: a txn may not stay empty either.
    create constraint trigger ledger_txn_balanced after insert on ledger_txns
      deferrable initially deferred for each row execute function ledger_require_balanced();
    create constraint trigger ledger_postings_balanced after insert on ledger_postings
      deferrable initially deferred for each row execute function ledger_require_balanced();
  `.execute(db);
}
