import { sql } from "kysely";
import type { Trx } from "#src/platform/database/db.ts";

/** Columns that hold texts sealed for the user of their row, each with its table's key. */
export const sealedColumns = {
  "two-factor secrets": { table: "two_factor", id: "user_id", column: "secret" },
  "backup codes that can still be read": {
    table: "two_factor",
    id: "user_id",
    column: "sealed_codes",
  },
  "profile API keys": { table: "api_keys", id: "id", column: "sealed" },
  "Discord webhooks": { table: "profiles", id: "user_id", column: "sealed_webhook" },
} as const;

export type SealedColumn = (typeof sealedColumns)[keyof typeof sealedColumns];

export interface SealedText {
  readonly id: string;
  readonly userId: string;
  readonly sealed: string;
}

/** Locks the next texts after `after` that do not begin with `prefix`, in the order of their ids. */
export async function lockSealedTexts(
  trx: Trx,
  { table, id, column }: SealedColumn,
  page: { readonly prefix: string; readonly after: string | null; readonly max: number },
): Promise<readonly SealedText[]> {
  const { rows } = await sql<SealedText>`
    select ${sql.ref(id)} as id, user_id as "userId", ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null and not starts_with(${sql.ref(column)}, ${page.prefix})
      and (${page.after}::uuid is null or ${sql.ref(id)} > ${page.after}::uuid)
    order by ${sql.ref(id)} limit ${page.max} for update
  `.execute(trx);
  return rows;
}

export async function replaceSealedText(
  trx: Trx,
  { table, id, column }: SealedColumn,
  row: { readonly id: string; readonly sealed: string },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${row.sealed}
    where ${sql.ref(id)} = ${row.id}::uuid
  `.execute(trx);
}
