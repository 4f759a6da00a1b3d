import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";

const ofUser = { subject: "user_id", idType: "uuid" } as const;
const ofWebhook = { table: "shield_webhooks", id: "id", subject: "id", idType: "uuid" } as const;

const ofSubscriber = {
  table: "status_subscribers",
  id: "id",
  subject: "id",
  idType: "uuid",
} as const;

/** Columns that hold sealed texts, each with its table's key and the subject that they are sealed for. */
export const sealedColumns = {
  "two-factor secrets": { table: "two_factor", id: "user_id", column: "secret", ...ofUser },
  "backup codes that can still be read": {
    table: "two_factor",
    id: "user_id",
    column: "sealed_codes",
    ...ofUser,
  },
  "profile API keys": { table: "api_keys", id: "id", column: "sealed", ...ofUser },
  "Discord webhooks": { table: "profiles", id: "user_id", column: "sealed_webhook", ...ofUser },
  "keys of certificates": {
    table: "certificates",
    id: "domain",
    column: "sealed_key",
    subject: "domain",
    idType: "text",
  },
  "keys of accounts at CAs": {
    table: "acme_accounts",
    id: "directory_url",
    column: "sealed_key",
    subject: "directory_url",
    idType: "text",
  },
  "addresses of webhooks": { ...ofWebhook, column: "sealed_url" },
  "secrets of webhooks": { ...ofWebhook, column: "sealed_secret" },
  "former secrets of webhooks": { ...ofWebhook, column: "sealed_former_secret" },
  "addresses of subscribers to the status page": { ...ofSubscriber, column: "sealed_address" },
  "secrets of subscribers to the status page": { ...ofSubscriber, column: "sealed_secret" },
} as const;

export type SealedColumn = (typeof sealedColumns)[keyof typeof sealedColumns];

export interface SealedText {
  readonly id: string;
  readonly subject: string;
  readonly sealed: string;
}

/** Locks the next texts after `after` that do not begin with `prefix`, in the order of their ids. */
export async function lockSealedTexts(
  trx: Trx,
  { table, id, column, subject, idType }: SealedColumn,
  page: { readonly prefix: string; readonly after: string | null; readonly max: number },
): Promise<readonly SealedText[]> {
  const { rows } = await sql<SealedText>`
    select ${sql.ref(id)} as id, ${sql.ref(subject)} as subject, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null and not starts_with(${sql.ref(column)}, ${page.prefix})
      and (${page.after}::text is null or ${sql.ref(id)} > ${page.after}::${sql.raw(idType)})
    order by ${sql.ref(id)} limit ${page.max} for update
  `.execute(trx);
  return rows;
}

export async function replaceSealedText(
  trx: Trx,
  { table, id, column, idType }: SealedColumn,
  row: { readonly id: string; readonly sealed: string },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${row.sealed}
    where ${sql.ref(id)} = ${row.id}::${sql.raw(idType)}
  `.execute(trx);
}
