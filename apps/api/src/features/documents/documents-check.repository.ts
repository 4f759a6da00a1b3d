import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** Breaks shown per rule. */
const shownMax = 20;

/** Txns that need a document and neither have one nor wait for one. */
export async function selectUndocumented(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ business_key: string }>`
    select t.business_key
    from ledger_txns t
    join ledger_postings p on p.txn_id = t.id
    join ledger_accounts a on a.id = p.account_id
    where not exists (select 1 from documents d where d.txn_id = t.id)
      and not exists (select 1 from documents_due w where w.txn_id = t.id)
    group by t.id
    having bool_or(a.kind = 'revenue' or a.kind like '%\\_clearing')
      and count(distinct a.user_id) = 1
      and sum(p.cents) filter (where a.user_id is not null) <> 0
    order by t.id limit ${shownMax}
  `.execute(db);
  return rows.map((row) => row.business_key);
}

/** Txns that have waited for their document since before a moment. */
export async function selectOverdue(db: Executor, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom("documents_due")
    .innerJoin("ledger_txns", "ledger_txns.id", "documents_due.txn_id")
    .select("ledger_txns.business_key")
    .where("documents_due.created_at", "<", before)
    .orderBy("documents_due.created_at")
    .limit(shownMax)
    .execute();
  return rows.map((row) => row.business_key);
}

/** Documents whose amounts are not those of their txn. */
export async function selectWrongAmounts(db: Executor) {
  const { rows } = await sql<{ business_key: string; total: string; moved: string }>`
    select t.business_key, d.total_cents as total, m.moved
    from documents d
    join ledger_txns t on t.id = d.txn_id
    cross join lateral (
      select coalesce(sum(p.cents) filter (where a.user_id is not null), 0)
          * case when bool_or(a.kind like '%\\_clearing') then 1 else -1 end as moved,
        case when bool_or(a.kind like '%\\_clearing') then 0
          else coalesce(sum(p.cents) filter (where a.kind = 'vat_payable'), 0) end as tax
      from ledger_postings p join ledger_accounts a on a.id = p.account_id
      where p.txn_id = t.id
    ) m
    where d.total_cents <> m.moved or d.tax_cents <> m.tax
    order by d.id limit ${shownMax}
  `.execute(db);
  return rows;
}

/** Series whose documents are not numbered 1, 2, 3 and so on up to their last number. */
export async function selectBrokenSeries(db: Executor) {
  const { rows } = await sql<{ kind: string; year: number; last: number; found: string }>`
    select coalesce(s.kind, d.kind) as kind, coalesce(s.year, d.year) as year,
      coalesce(s.last_number, 0) as last, coalesce(d.found, 0) as found
    from document_series s
    full join (
      select kind, year, count(distinct number) as found, min(number) as low, max(number) as high,
        count(*) as documents
      from documents group by kind, year
    ) d on d.kind = s.kind and d.year = s.year
    where s.last_number is distinct from d.found or d.low <> 1 or d.high <> s.last_number
      or d.documents <> d.found
    order by 2, 1 limit ${shownMax}
  `.execute(db);
  return rows;
}

/** Documents that were issued before the one whose number is one less. */
export async function selectBackdated(db: Executor) {
  const { rows } = await sql<{ kind: string; year: number; number: number }>`
    select kind, year, number from (
      select kind, year, number, issued_at,
        lag(issued_at) over (partition by kind, year order by number) as before
      from documents
    ) d
    where issued_at < before
    order by year, kind, number limit ${shownMax}
  `.execute(db);
  return rows;
}
