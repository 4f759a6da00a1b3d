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
  /** The subject by its business key: `upgrade`, `support-renewal` and so on; null for an open top-up. */
  readonly about: string | null;
  /** Money that came back after a refund or dispute. */
  readonly is_returned: boolean;
  /** The name of the purchased or renewed shield. */
  readonly server_name: string | null;
  /** The plan that was paid for, in both languages. */
  readonly plan: { readonly en: string; readonly ru: string } | null;
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
function transactionsOf(userId: string): RawBuilder<Omit<TransactionRow, "plan">> {
  return sql`
    select
      coalesce(i.id, t.id) as id,
      t.id as txn_id,
      t.kind as type,
      case
        when i.payment_method is not null and t.kind <> 'promo_bonus' then i.payment_method
        when t.kind in ('refund', 'dispute') and t.clearing = 'paypal_clearing' then 'paypal'
        when t.kind in ('refund', 'dispute') then coalesce(f.payment_method, 'stripe')
        when t.kind = 'promo_bonus' then 'promo'
        when t.kind = 'adjustment' then 'operator'
        else 'balance'
      end as payment_method,
      coalesce(t.clearing = 'sandbox_clearing', false) as is_sandbox,
      'completed' as status,
      t.cents,
      t.created_at,
      t.about,
      t.is_returned,
      s.server_name,
      c.code as promo_code
    from (
      select t.id, t.kind, t.created_at, sum(p.cents) as cents,
        split_part(t.business_key, ':', 1) as about,
        split_part(t.business_key, ':', 2) as subject,
        t.business_key like '%:returned' as is_returned,
        case when t.kind in ('top_up', 'refund', 'dispute') then (select ca.kind from ledger_postings cp join ledger_accounts ca on ca.id = cp.account_id
          where cp.txn_id = t.id and ca.kind like '%\\_clearing' limit 1) end as clearing
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
    left join payment_refunds r on t.kind = 'refund' and r.id::text = t.subject
    left join payment_intents f on f.user_id = ${userId} and f.id = r.intent_id
    left join payment_intents b
      on b.user_id = ${userId} and t.kind = 'promo_bonus' and b.id::text = t.subject
    left join promo_codes c on c.id = b.promo_code_id
    union all
    select i.id, null, 'top_up', i.payment_method, i.provider = 'sandbox',
      case i.status when 'expired' then 'cancelled' else i.status end,
      i.amount_cents, i.created_at, null, false, null, null
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

/** With the plans that were paid for: named by the document, or by what waits for one. */
function withPlans(rows: RawBuilder<unknown>): RawBuilder<TransactionRow> {
  return sql`
    select mine.*, coalesce(
      d.subject -> 'plan',
      case when coalesce(p.id, h.id) is not null then jsonb_build_object(
        'en', coalesce(p.name, h.name),
        'ru', coalesce(p.translations -> 'ru' ->> 'name', h.translations -> 'ru' ->> 'name',
          p.name, h.name)
      ) end
    ) as plan
    from (${rows}) as mine
    left join documents d on d.txn_id = mine.txn_id
    left join documents_due w on w.txn_id = mine.txn_id
    left join pricing_plans p on p.id = (w.charged_for ->> 'plan_id')::uuid
    left join support_plans h on h.id = (w.charged_for ->> 'plan_id')::uuid
  `;
}

export async function selectTransactions(
  db: Executor,
  userId: string,
  filter: TransactionFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    ${withPlans(sql`
      select * from (${transactionsOf(userId)}) as every where ${matching(filter)}
      order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
    `)}
    order by mine.created_at desc, mine.id desc
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
    ${withPlans(sql`select * from (${transactionsOf(userId)}) as every where id = ${id}`)}
  `.execute(db);
  return rows[0];
}
