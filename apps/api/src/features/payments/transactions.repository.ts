import type { transactionMethods, transactionStatuses } from "@palisade/contract/http/billing";
import { sql, type RawBuilder } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import type { TxnKind } from "#src/schema/ledger.ts";

export interface TransactionRow {
  readonly id: string;
  readonly type: TxnKind;
  readonly payment_method: (typeof transactionMethods)[number];
  readonly is_sandbox: boolean;
  readonly status: (typeof transactionStatuses)[number];
  readonly cents: string;
  readonly created_at: Date;
  /** The name of the purchased or renewed shield. */
  readonly server_name: string | null;
  readonly promo_code: string | null;
}

export interface TransactionFilter {
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  readonly payment_method?: string | undefined;
}

/**
 * One row per txn on a user's cash and bonus, and one per top-up that is not credited (yet). A
 * top-up has the intent's id before and after its credit, so that links to it stay valid.
 */
function transactionsOf(userId: string): RawBuilder<TransactionRow> {
  return sql`
    select
      coalesce(i.id, t.id) as id,
      t.kind as type,
      case
        when i.payment_method is not null and t.kind <> 'promo_bonus' then i.payment_method
        when t.kind = 'promo_bonus' then 'promo'
        when t.kind = 'adjustment' then 'operator'
        else 'balance'
      end as payment_method,
      coalesce(i.provider = 'sandbox', false) as is_sandbox,
      'completed' as status,
      t.cents,
      t.created_at,
      s.server_name,
      c.code as promo_code
    from (
      select t.id, t.kind, t.created_at, sum(p.cents) as cents,
        split_part(t.business_key, ':', 2) as subject
      from ledger_accounts a
      join ledger_postings p on p.account_id = a.id
      join ledger_txns t on t.id = p.txn_id
      where a.user_id = ${userId}
      group by t.id
    ) t
    left join payment_intents i
      on i.user_id = ${userId} and t.kind = 'top_up' and i.id::text = t.subject
    left join shields s
      on s.owner_id = ${userId} and t.kind in ('purchase', 'renewal') and s.id::text = t.subject
    left join payment_intents b
      on b.user_id = ${userId} and t.kind = 'promo_bonus' and b.id::text = t.subject
    left join promo_codes c on c.id = b.promo_code_id
    union all
    select i.id, 'top_up', i.payment_method, i.provider = 'sandbox',
      case i.status when 'expired' then 'cancelled' else i.status end,
      i.amount_cents, i.created_at, null, null
    from payment_intents i
    where i.user_id = ${userId} and i.status <> 'completed'
  `;
}

function matching({ status, type, payment_method }: TransactionFilter): RawBuilder<boolean> {
  return sql`
    (${status ?? null}::text is null or status = ${status ?? null})
    and (${type ?? null}::text is null or type = ${type ?? null})
    and (${payment_method ?? null}::text is null or payment_method = ${payment_method ?? null})
  `;
}

export async function selectTransactions(
  db: Executor,
  userId: string,
  filter: TransactionFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    select * from (${transactionsOf(userId)}) as mine where ${matching(filter)}
    order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
  `.execute(db);
  return rows;
}

export async function countTransactions(
  db: Executor,
  userId: string,
  filter: TransactionFilter,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from (${transactionsOf(userId)}) as mine where ${matching(filter)}
  `.execute(db);
  return Number(rows[0]?.count ?? 0);
}

export async function selectTransaction(
  db: Executor,
  userId: string,
  id: string,
): Promise<TransactionRow | undefined> {
  const { rows } = await sql<TransactionRow>`
    select * from (${transactionsOf(userId)}) as mine where id = ${id}
  `.execute(db);
  return rows[0];
}
