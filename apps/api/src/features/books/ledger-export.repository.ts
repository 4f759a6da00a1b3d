import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { RevenueTxn } from "./revenue.policy.ts";

export interface ExportedPosting {
  readonly txnId: string;
  readonly businessKey: string;
  readonly kind: string;
  readonly note: string | null;
  readonly at: Date;
  readonly account: string;
  readonly userId: string | null;
  readonly cents: number;
}

export interface ExportCursor {
  readonly at: Date;
  readonly txnId: string;
}

/** Txns with all their postings, from a moment on and after the cursor, the oldest first. */
export async function selectPostingsOfPeriod(
  db: Executor,
  {
    from,
    to,
    after,
    txnsMax,
  }: {
    readonly from: Date;
    readonly to: Date;
    readonly after: ExportCursor | null;
    readonly txnsMax: number;
  },
): Promise<ExportedPosting[]> {
  const { rows } = await sql<{
    id: string;
    business_key: string;
    kind: string;
    note: string | null;
    created_at: Date;
    account: string;
    user_id: string | null;
    cents: string;
  }>`
    select t.id, t.business_key, t.kind, t.note, t.created_at, a.kind as account, a.user_id, p.cents
    from (
      select * from ledger_txns
      where created_at >= ${from} and created_at < ${to}
        and (${after?.txnId ?? null}::uuid is null
          or (created_at, id) > (${after?.at ?? from}::timestamptz, ${after?.txnId ?? null}::uuid))
      order by created_at, id limit ${txnsMax}
    ) t
    join ledger_postings p on p.txn_id = t.id
    join ledger_accounts a on a.id = p.account_id
    order by t.created_at, t.id, p.cents, a.kind
  `.execute(db);
  return rows.map((row) => ({
    txnId: row.id,
    businessKey: row.business_key,
    kind: row.kind,
    note: row.note,
    at: row.created_at,
    account: row.account,
    userId: row.user_id,
    cents: readCents(row.cents),
  }));
}

/**
 * Every txn on revenue before a moment, with the time that its invoice names, or the anchor of the
 * subscription it is for. A reversal has the time and the moment of the txn that it takes back.
 */
export async function selectRevenue(db: Executor, before: Date): Promise<RevenueTxn[]> {
  const { rows } = await sql<{
    business_key: string;
    cents: string;
    created_at: Date;
    anchor_at: Date | null;
    starts_at: string | null;
    ends_at: string | null;
    reversed_at: Date | null;
  }>`
    select o.business_key, p.cents, o.created_at, s.anchor_at,
      coalesce(d.subject -> 'period' ->> 'starts_at', w.charged_for ->> 'starts_at') as starts_at,
      coalesce(d.subject -> 'period' ->> 'ends_at', w.charged_for ->> 'ends_at') as ends_at,
      case when o.id <> t.id then t.created_at end as reversed_at
    from ledger_accounts a
    join ledger_postings p on p.account_id = a.id
    join ledger_txns t on t.id = p.txn_id
    join ledger_txns o
      on o.business_key = case when t.business_key like 'reversal:%'
        then substr(t.business_key, length('reversal:') + 1) else t.business_key end
    left join documents d on d.txn_id = o.id
    left join documents_due w on w.txn_id = o.id
    left join subscriptions s on s.shield_id::text = split_part(o.business_key, ':', 2)
    where a.kind = 'revenue' and t.created_at < ${before}
    order by t.created_at, t.id
  `.execute(db);
  return rows.map((row) => ({
    businessKey: row.business_key,
    cents: readCents(row.cents),
    at: row.created_at,
    anchorAt: row.anchor_at,
    period:
      row.starts_at === null || row.ends_at === null
        ? null
        : { from: new Date(row.starts_at), to: new Date(row.ends_at) },
    reversedAt: row.reversed_at,
  }));
}
