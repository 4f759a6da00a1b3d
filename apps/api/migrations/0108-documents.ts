import { sql, type Kysely } from "kysely";

/**
 * Receipts, invoices and credit notes. A txn that needs one leaves a row in `documents_due`, with the
 * buyer as they are at that moment; a job turns it into a document and gives it the next number of its
 * kind and year. `sellers` and `documents` are only added to: platform/database/append-only.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sellers (
      id uuid primary key,
      name text not null,
      address text not null,
      email text not null,
      country text,
      vat_id text,
      charges_vat boolean not null,
      valid_from timestamptz not null,
      check (not charges_vat or (country is not null and vat_id is not null))
    );

    create table documents_due (
      txn_id uuid primary key references ledger_txns (id),
      user_id uuid not null references users (id),
      kind text not null check (kind in ('receipt', 'invoice', 'credit_note')),
      buyer jsonb not null,
      -- Null: no VAT was decided about, as for top-ups.
      tax jsonb,
      -- The txn whose document a credit note corrects, by its business key.
      corrects_key text,
      created_at timestamptz not null
    );

    create table document_series (
      kind text not null check (kind in ('receipt', 'invoice', 'credit_note')),
      -- Of the day of issue in UTC.
      year integer not null,
      last_number integer not null check (last_number >= 0),
      last_issued_at timestamptz not null,
      primary key (kind, year)
    );

    create table documents (
      id uuid primary key,
      txn_id uuid not null unique references ledger_txns (id),
      user_id uuid not null references users (id),
      kind text not null,
      year integer not null,
      number integer not null check (number > 0),
      seller_id uuid not null references sellers (id),
      buyer jsonb not null,
      tax jsonb not null,
      subject jsonb not null,
      payment_method text not null check (payment_method in ('stripe', 'paypal', 'balance')),
      -- Below 0 for credit notes.
      net_cents bigint not null,
      tax_cents bigint not null,
      total_cents bigint not null check (total_cents <> 0),
      corrects_id uuid references documents (id),
      -- When the money moved.
      supplied_at timestamptz not null,
      issued_at timestamptz not null,
      unique (kind, year, number),
      foreign key (kind, year) references document_series (kind, year),
      check (net_cents + tax_cents = total_cents),
      check ((kind = 'credit_note') = (total_cents < 0)),
      check (year = extract(year from issued_at at time zone 'UTC'))
    );
    -- With what lists filter and count by, so that a year of ten thousand is not read for one page.
    create index documents_user on documents (user_id, issued_at desc, id desc)
      include (kind, year, payment_method, number);
    create index documents_corrects on documents (corrects_id) where corrects_id is not null;

    insert into documents_due (txn_id, user_id, kind, buyer, created_at)
    select t.id, min(a.user_id::text)::uuid,
      case
        when bool_or(a.kind like '%\\_clearing') then
          case when sum(p.cents) filter (where a.user_id is not null) > 0
            then 'receipt' else 'credit_note' end
        when sum(p.cents) filter (where a.kind = 'revenue') > 0 then 'invoice'
        else 'credit_note'
      end,
      (select jsonb_build_object(
          'email', u.email, 'first_name', f.first_name, 'last_name', f.last_name,
          'company_name', f.company_name, 'address_line_1', f.address_line_1,
          'address_line_2', f.address_line_2, 'zip_code', f.zip_code, 'city', f.city,
          'country', f.country, 'vat_id', f.vat_id)
        from users u left join profiles f on f.user_id = u.id
        where u.id = min(a.user_id::text)::uuid),
      t.created_at
    from ledger_txns t
    join ledger_postings p on p.txn_id = t.id
    join ledger_accounts a on a.id = p.account_id
    group by t.id
    having bool_or(a.kind = 'revenue' or a.kind like '%\\_clearing')
      and count(distinct a.user_id) = 1;
  `.execute(db);
}
