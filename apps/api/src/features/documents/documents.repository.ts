import { sql, type RawBuilder } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";
import type { Buyer, DocumentSubject, TaxDecision } from "#src/schema/documents.ts";
import type { DocumentKind } from "#src/schema/documents.ts";

export interface DocumentRow {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly year: number;
  readonly number: number;
  readonly buyer: Buyer;
  readonly tax: TaxDecision;
  readonly subject: DocumentSubject;
  readonly payment_method: "stripe" | "paypal" | "balance";
  readonly net_cents: string;
  readonly tax_cents: string;
  readonly total_cents: string;
  readonly supplied_at: Date;
  readonly issued_at: Date;
}

export interface DocumentDetailRow extends DocumentRow {
  readonly seller_name: string;
  readonly seller_address: string;
  readonly seller_email: string;
  readonly seller_country: string | null;
  readonly seller_vat_id: string | null;
  readonly corrects_id: string | null;
  readonly corrects_kind: DocumentKind | null;
  readonly corrects_year: number | null;
  readonly corrects_number: number | null;
}

export interface DocumentFilter {
  readonly kind?: DocumentKind | undefined;
  readonly year?: number | undefined;
  readonly payment_method?: string | undefined;
  /** Part of the number as it is shown. */
  readonly number?: string | undefined;
}

const columns = sql`d.id, d.kind, d.year, d.number, d.buyer, d.tax, d.subject, d.payment_method,
  d.net_cents, d.tax_cents, d.total_cents, d.supplied_at, d.issued_at`;

function matching(userId: string, filter: DocumentFilter): RawBuilder<boolean> {
  const { kind = null, year = null, payment_method: method = null, number } = filter;
  const part = number === undefined || number === "" ? null : number.toUpperCase();
  return sql`d.user_id = ${userId}
    and (${kind}::text is null or d.kind = ${kind})
    and (${year}::integer is null or d.year = ${year})
    and (${method}::text is null or d.payment_method = ${method})
    and (${part}::text is null or strpos(d.shown_number, ${part}) > 0)`;
}

/**
 * Newest first. The rows before the window are skipped in the index alone: from its nearer end where it
 * is known how many match.
 */
export async function selectDocuments(
  db: Executor,
  userId: string,
  filter: DocumentFilter,
  window: { readonly limit: number; readonly offset: number; readonly total?: number },
): Promise<DocumentRow[]> {
  const { limit, offset, total = Infinity } = window;
  const after = Math.max(0, total - offset - limit);
  const isNearerToEnd = after < offset;
  const from = isNearerToEnd
    ? sql`order by d.issued_at, d.id limit ${Math.min(limit, total - offset)} offset ${after}`
    : sql`order by d.issued_at desc, d.id desc limit ${limit} offset ${offset}`;
  const { rows } = await sql<DocumentRow>`
    select ${columns} from (
      select d.id from documents d where ${matching(userId, filter)} ${from}
    ) page
    join documents d on d.id = page.id
    order by d.issued_at desc, d.id desc
  `.execute(db);
  return rows;
}

/** How many match, and the years that have any, newest first. */
export async function countDocuments(
  db: Executor,
  userId: string,
  filter: DocumentFilter,
): Promise<{ readonly total: number; readonly years: number[] }> {
  const { rows } = await sql<{ year: number; count: string }>`
    select d.year, count(*) filter (where ${matching(userId, filter)}) as count
    from documents d where d.user_id = ${userId} group by d.year order by d.year desc
  `.execute(db);
  return {
    total: rows.reduce((sum, { count }) => sum + Number(count), 0),
    years: rows.map(({ year }) => year),
  };
}

export async function selectDocument(
  db: Executor,
  userId: string,
  id: string,
): Promise<DocumentDetailRow | undefined> {
  const { rows } = await sql<DocumentDetailRow>`
    select ${columns}, s.name as seller_name, s.address as seller_address, s.email as seller_email,
      s.country as seller_country, s.vat_id as seller_vat_id,
      c.id as corrects_id, c.kind as corrects_kind, c.year as corrects_year,
      c.number as corrects_number
    from documents d
    join sellers s on s.id = d.seller_id
    left join documents c on c.id = d.corrects_id
    where d.user_id = ${userId} and d.id = ${id}
  `.execute(db);
  return rows[0];
}

/** A year's documents, in the order of their numbers. */
export async function selectYearDocuments(
  db: Executor,
  userId: string,
  year: number,
): Promise<Pick<DocumentRow, "id" | "kind" | "number" | "issued_at">[]> {
  return db
    .selectFrom("documents")
    .select(["id", "kind", "number", "issued_at"])
    .where("user_id", "=", userId)
    .where("year", "=", year)
    .orderBy("kind")
    .orderBy("number")
    .execute();
}
