import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

/** Breaks shown per rule: an operator acts on the first ones, not on ten thousand. */
const shownMax = 20;

export async function countLedger(db: Executor): Promise<{ txns: number; accounts: number }> {
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom("ledger_txns")
        .select((count) => count.fn.countAll<string>().as("count"))
        .as("txns"),
      eb
        .selectFrom("ledger_accounts")
        .select((count) => count.fn.countAll<string>().as("count"))
        .as("accounts"),
    ])
    .executeTakeFirstOrThrow();
  return { txns: Number(row.txns), accounts: Number(row.accounts) };
}

/** Txns whose postings do not sum to 0, or that have fewer than two. */
export async function selectUnbalancedTxns(db: Executor) {
  const { rows } = await sql<{ business_key: string; postings: string; sum: string | null }>`
    select t.business_key, count(p.cents) as postings, sum(p.cents) as sum
    from ledger_txns t left join ledger_postings p on p.txn_id = t.id
    group by t.id
    having count(p.cents) < 2 or sum(p.cents) <> 0
    order by t.id limit ${shownMax}
  `.execute(db);
  return rows;
}

/** User accounts whose balance is not the sum of their postings, or is missing. */
export async function selectWrongBalances(db: Executor) {
  const { rows } = await sql<{ name: string; balance: string | null; sum: string }>`
    select a.kind || ' of ' || a.user_id as name, b.cents as balance, coalesce(s.sum, 0) as sum
    from ledger_accounts a
    left join ledger_balances b on b.account_id = a.id
    left join (
      select account_id, sum(cents) as sum from ledger_postings group by account_id
    ) s on s.account_id = a.id
    where a.user_id is not null and b.cents is distinct from coalesce(s.sum, 0)
    order by a.id limit ${shownMax}
  `.execute(db);
  return rows;
}

/** User accounts whose postings sum to less than 0 without a dispute. */
export async function selectOverdrawn(db: Executor) {
  const { rows } = await sql<{ name: string; sum: string }>`
    select a.kind || ' of ' || a.user_id as name, sum(p.cents) as sum
    from ledger_accounts a
    join ledger_postings p on p.account_id = a.id
    left join ledger_balances b on b.account_id = a.id
    where a.user_id is not null and b.debt_allowed is not true
    group by a.id having sum(p.cents) < 0
    order by a.id limit ${shownMax}
  `.execute(db);
  return rows;
}

/** Business keys that more than one txn has. */
export async function selectRepeatedKeys(db: Executor) {
  const { rows } = await sql<{ business_key: string; times: string }>`
    select business_key, count(*) as times from ledger_txns
    group by business_key having count(*) > 1
    order by business_key limit ${shownMax}
  `.execute(db);
  return rows;
}
