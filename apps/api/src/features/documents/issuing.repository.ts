import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";
import type {
  Buyer,
  ChargedFor,
  DocumentKind,
  DocumentsTables,
  DocumentSubject,
  TaxDecision,
} from "#src/schema/documents.ts";
import type { SystemAccountKind, TxnKind } from "#src/schema/ledger.ts";

/** Held by the one who gives numbers until `trx` ends. @returns false if another holds it */
export async function takeIssuing(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('documents', 0)) as taken
  `.execute(trx);
  return rows[0]?.taken === true;
}

export async function selectNewestSellerId(trx: Trx): Promise<string> {
  const { id } = await trx
    .selectFrom("sellers")
    .select("id")
    .orderBy("valid_from", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

export interface DueRow {
  readonly txn_id: string;
  readonly user_id: string;
  readonly kind: DocumentKind;
  readonly buyer: Buyer;
  readonly tax: TaxDecision | null;
  readonly corrects_key: string | null;
  readonly txn: TxnKind;
  readonly business_key: string;
  readonly supplied_at: Date;
  /** Into the user's accounts. */
  readonly user_cents: string;
  readonly vat_cents: string;
  /** Null if no provider was part of it. */
  readonly clearing: SystemAccountKind | null;
  readonly intent_method: "stripe" | "paypal" | null;
  readonly server_name: string | null;
  readonly plan_en: string | null;
  readonly plan_ru: string | null;
  readonly is_support: boolean;
  readonly charged_for: ChargedFor | null;
}

/** The oldest txns that wait for their document, with what it is about. */
export async function selectDue(trx: Trx, limit: number): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select d.txn_id, d.user_id, d.kind, d.buyer, d.tax, d.corrects_key, d.charged_for,
      t.kind as txn, t.business_key, t.created_at as supplied_at,
      m.user_cents, m.vat_cents, m.clearing,
      i.payment_method as intent_method, s.server_name,
      coalesce(p.name, h.name) as plan_en,
      coalesce(p.translations -> 'ru' ->> 'name', h.translations -> 'ru' ->> 'name', p.name, h.name)
        as plan_ru,
      h.id is not null as is_support
    from (select * from documents_due order by created_at, txn_id limit ${limit}) d
    join ledger_txns t on t.id = d.txn_id
    cross join lateral (
      select coalesce(sum(p.cents) filter (where a.user_id is not null), 0) as user_cents,
        coalesce(sum(p.cents) filter (where a.kind = 'vat_payable'), 0) as vat_cents,
        max(a.kind) filter (where a.kind like '%\\_clearing') as clearing
      from ledger_postings p join ledger_accounts a on a.id = p.account_id
      where p.txn_id = t.id
    ) m
    cross join lateral (
      select case when split_part(t.business_key, ':', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then split_part(t.business_key, ':', 2)::uuid end as id
    ) named
    left join payment_intents i on i.id = named.id and i.user_id = d.user_id
    left join shields s on s.id = named.id and s.owner_id = d.user_id
    left join subscriptions b on b.shield_id = s.id
    left join pricing_plans p
      on p.id = coalesce((d.charged_for ->> 'plan_id')::uuid, b.pricing_plan_id)
    left join support_plans h on h.id = (d.charged_for ->> 'plan_id')::uuid
    order by d.created_at, d.txn_id
  `.execute(trx);
  return rows;
}

export interface TakenNumber {
  readonly number: number;
  readonly issuedAt: Date;
}

/** The next number of the series, with a date that is not before the one of the number before it. */
export async function takeNumber(trx: Trx, kind: DocumentKind, at: Date): Promise<TakenNumber> {
  const { rows } = await sql<{ last_number: number; last_issued_at: Date }>`
    insert into document_series as s (kind, year, last_number, last_issued_at)
    values (${kind}, ${at.getUTCFullYear()}, 1, ${at})
    on conflict (kind, year) do update set
      last_number = s.last_number + 1,
      last_issued_at = greatest(s.last_issued_at, excluded.last_issued_at)
    returning last_number, last_issued_at
  `.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error(`The series of ${kind} gave no number`);
  return { number: row.last_number, issuedAt: row.last_issued_at };
}

export interface CorrectedDocument {
  readonly id: string;
  readonly tax: TaxDecision;
  readonly subject: DocumentSubject;
}

/** The document of the txn with this business key. */
export async function selectDocumentOf(
  trx: Trx,
  userId: string,
  businessKey: string,
): Promise<CorrectedDocument | undefined> {
  return trx
    .selectFrom("documents")
    .innerJoin("ledger_txns", "ledger_txns.id", "documents.txn_id")
    .select(["documents.id", "documents.tax", "documents.subject"])
    .where("ledger_txns.business_key", "=", businessKey)
    .where("documents.user_id", "=", userId)
    .executeTakeFirst();
}

type NewDocument = Pick<
  DocumentRow,
  "id" | "kind" | "year" | "number" | "seller_id" | "payment_method" | "corrects_id"
> & {
  readonly txnId: string;
  readonly userId: string;
  readonly buyer: Buyer;
  readonly tax: TaxDecision;
  readonly subject: DocumentSubject;
  readonly netCents: number;
  readonly taxCents: number;
  readonly suppliedAt: Date;
  readonly issuedAt: Date;
};

type DocumentRow = DocumentsTables["documents"];

export async function insertDocument(trx: Trx, document: NewDocument): Promise<void> {
  const { id, kind, year, number, seller_id, payment_method, corrects_id } = document;
  await trx
    .insertInto("documents")
    .values({
      id,
      kind,
      year,
      number,
      seller_id,
      payment_method,
      corrects_id,
      txn_id: document.txnId,
      user_id: document.userId,
      buyer: JSON.stringify(document.buyer),
      tax: JSON.stringify(document.tax),
      subject: JSON.stringify(document.subject),
      net_cents: document.netCents,
      tax_cents: document.taxCents,
      total_cents: document.netCents + document.taxCents,
      supplied_at: document.suppliedAt,
      issued_at: document.issuedAt,
    })
    .execute();
}

export async function deleteDue(trx: Trx, txnId: string): Promise<void> {
  await trx.deleteFrom("documents_due").where("txn_id", "=", txnId).execute();
}
