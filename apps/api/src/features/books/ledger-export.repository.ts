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

/** Every txn on revenue before a moment, with the anchor of the subscription it is for. */
export async function selectRevenue(db: Executor, before: Date): Promise<RevenueTxn[]> {
  const { rows } = await sql<{
    business_key: string;
    cents: string;
    created_at: Date;
    anchor_at: Date | null;
  }>`
    select t.business_key, p.cents, t.created_at, s.anchor_at
    from ledger_accounts a
    join ledger_postings p on p.account_id = a.id
    join ledger_txns t on t.id = p.txn_id
    left join subscriptions s on s.shield_id::text = split_part(t.business_key, ':', 2)
    where a.kind = 'revenue' and t.created_at < ${before}
    order by t.created_at, t.id
  `.execute(db);
  return rows.map(({ business_key: businessKey, cents, created_at: at, anchor_at: anchorAt }) => ({
    businessKey,
    cents: readCents(cents),
    at,
    anchorAt,
  }));
}
