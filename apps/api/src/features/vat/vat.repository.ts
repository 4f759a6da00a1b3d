import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { prepared, type Given } from "#src/platform/database/prepared.ts";
import type { VatIdCheckRow } from "./vat.policy.ts";
import type { DocumentsTables } from "#src/schema/documents.ts";

interface VatGroundsRow {
  readonly seller_country: string | null;
  readonly charges_vat: boolean | null;
  readonly profile: string | null;
  readonly card: string | null;
  readonly wallet: string | null;
  readonly ip: string | null;
  readonly network: string | null;
  readonly is_valid: boolean | null;
  readonly answered_at: Date | null;
  readonly reference: string | null;
}

const vatGrounds = prepared(
  (_db, given: Given<{ userId: string }>) => sql<VatGroundsRow>`
    select s.country as seller_country, s.charges_vat, p.country as profile,
      (select country from vat_evidence where user_id = u.id and source = 'card') as card,
      (select country from vat_evidence where user_id = u.id and source = 'wallet') as wallet,
      (select country from vat_evidence where user_id = u.id and source = 'ip') as ip,
      (select network from known_networks where user_id = u.id
        order by last_login_at desc limit 1) as network,
      c.is_valid, c.answered_at, c.reference
    from users u
    left join profiles p on p.user_id = u.id
    left join vat_id_checks c
      on c.user_id = u.id and c.vat_id = p.vat_id and c.country = p.country
    left join lateral (
      select country, charges_vat from sellers order by valid_from desc, id desc limit 1
    ) s on true
    where u.id = ${given.userId}
  `,
);

/** What VAT is decided by, of the newest seller and one buyer. */
export async function selectVatGrounds(db: Executor, userId: string): Promise<VatGroundsRow> {
  const [row] = await vatGrounds(db, { userId });
  if (row === undefined) throw new Error(`There is no user ${userId}`);
  return row;
}

/** The profile's VAT id with the answer about it, and whether the newest seller asks for one. */
export async function selectVatIdCheck(db: Executor, userId: string): Promise<VatIdCheckRow> {
  const { rows } = await sql<VatIdCheckRow>`
    select s.country as seller_country, s.charges_vat, p.country, p.vat_id,
      c.is_valid, c.answered_at
    from users u
    left join profiles p on p.user_id = u.id
    left join vat_id_checks c
      on c.user_id = u.id and c.vat_id = p.vat_id and c.country = p.country
    left join lateral (
      select country, charges_vat from sellers order by valid_from desc, id desc limit 1
    ) s on true
    where u.id = ${userId}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no user ${userId}`);
  return row;
}

export type SellerRow = Omit<DocumentsTables["sellers"], "id" | "valid_from">;

/** Adds a seller where the newest differs. @returns its id */
export async function insertSeller(
  trx: Trx,
  seller: SellerRow,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sellers', 0))`.execute(trx);
  const newest = await trx
    .selectFrom("sellers")
    .selectAll()
    .orderBy("valid_from", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const isSame =
    newest !== undefined &&
    Object.entries(seller).every(([name, value]) => newest[name as keyof SellerRow] === value);
  if (isSame) return;
  // Later than the newest, whichever process's clock is behind.
  const after = newest === undefined ? 0 : newest.valid_from.getTime() + 1;
  const validFrom = new Date(Math.max(now.getTime(), after));
  await trx
    .insertInto("sellers")
    .values({ ...seller, id, valid_from: validFrom })
    .execute();
}

/**
 * A country that a payment named; the newest of each source counts. Nothing is kept about a
 * deleted account, whose last payment may arrive late.
 */
export async function saveEvidence(
  trx: Trx,
  evidence: {
    readonly userId: string;
    readonly source: DocumentsTables["vat_evidence"]["source"];
    readonly country: string;
    readonly at: Date;
  },
): Promise<void> {
  const { userId, source, country, at } = evidence;
  await sql`
    insert into vat_evidence (user_id, source, country, seen_at)
    select id, ${source}, ${country}, ${at}::timestamptz from users
    where id = ${userId} and deleted_at is null for key share
    on conflict (user_id, source) do update set country = excluded.country, seen_at = excluded.seen_at
  `.execute(trx);
}

export interface DueVatId {
  readonly user_id: string;
  readonly country: string;
  readonly vat_id: string;
  /** Enquiries about this number without an answer. */
  readonly tries: number;
}

/** VAT ids of other countries of the EU that were never asked about, or not for long enough. */
export async function selectDueVatIds(
  db: Db,
  countries: readonly string[],
  now: Date,
  limit: number,
): Promise<DueVatId[]> {
  const { rows } = await sql<DueVatId>`
    select p.user_id, p.country, p.vat_id,
      case when c.vat_id = p.vat_id and c.country = p.country then c.tries else 0 end as tries
    from profiles p
    left join vat_id_checks c on c.user_id = p.user_id
    where p.vat_id is not null and p.country = any(${countries})
      and (c.user_id is null or c.vat_id <> p.vat_id or c.country <> p.country or c.next_at <= ${now})
    order by c.next_at nulls first limit ${limit}
  `.execute(db);
  return rows;
}

/** Before the enquiry: one that fails badly has its next date already. */
export async function postponeVatId(db: Db, due: DueVatId, nextAt: Date): Promise<void> {
  const { user_id, country, vat_id, tries } = due;
  await sql`
    insert into vat_id_checks as c (user_id, country, vat_id, tries, next_at)
    select p.user_id, p.country, p.vat_id, ${tries + 1}::integer, ${nextAt}::timestamptz
    from profiles p
    where p.user_id = ${user_id} and p.country = ${country} and p.vat_id = ${vat_id}
    on conflict (user_id) do update set
      country = excluded.country, vat_id = excluded.vat_id, tries = excluded.tries,
      next_at = excluded.next_at,
      is_valid = case when c.vat_id = excluded.vat_id and c.country = excluded.country
        then c.is_valid end,
      answered_at = case when c.vat_id = excluded.vat_id and c.country = excluded.country
        then c.answered_at end,
      name = case when c.vat_id = excluded.vat_id and c.country = excluded.country then c.name end,
      reference = case when c.vat_id = excluded.vat_id and c.country = excluded.country
        then c.reference end
  `.execute(db);
}

/** Unless the profile has another number by now. */
export async function saveVatIdAnswer(
  db: Db,
  due: DueVatId,
  answer: {
    readonly isValid: boolean;
    readonly name: string | null;
    readonly reference: string | null;
    readonly at: Date;
    readonly nextAt: Date;
  },
): Promise<void> {
  await db
    .updateTable("vat_id_checks")
    .set({
      is_valid: answer.isValid,
      answered_at: answer.at,
      name: answer.name,
      reference: answer.reference,
      tries: 0,
      next_at: answer.nextAt,
    })
    .where("user_id", "=", due.user_id)
    .where("country", "=", due.country)
    .where("vat_id", "=", due.vat_id)
    .execute();
}
