import type { Insertable } from "kysely";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { QuarantineStatus } from "#src/schema/books.ts";
import type { Database } from "#src/schema/database.ts";

export type QuarantineRow = NonNullable<Awaited<ReturnType<typeof lockCase>>>;

/** @returns false if the checkout has a case already, also a resolved one */
export async function insertCase(
  trx: Executor,
  row: Insertable<Database["quarantined_payments"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("quarantined_payments")
    .values(row)
    .onConflict((conflict) => conflict.columns(["provider", "reference"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

function read<Row extends { amount_cents: string }>(row: Row) {
  return { ...row, amountCents: readCents(row.amount_cents) };
}

export async function selectOpenCases(db: Executor) {
  const rows = await db
    .selectFrom("quarantined_payments")
    .leftJoin("users", "users.id", "quarantined_payments.user_id")
    .selectAll("quarantined_payments")
    .select("users.email")
    .where("status", "=", "open")
    .orderBy("found_at")
    .execute();
  return rows.map(read);
}

export async function lockCase(trx: Trx, id: string) {
  const row = await trx
    .selectFrom("quarantined_payments")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row && read(row);
}

export async function resolveCase(
  trx: Trx,
  id: string,
  outcome: {
    readonly status: Exclude<QuarantineStatus, "open">;
    readonly by: string;
    readonly at: Date;
    readonly reason: string;
  },
): Promise<void> {
  await trx
    .updateTable("quarantined_payments")
    .set({
      status: outcome.status,
      resolved_by: outcome.by,
      resolved_at: outcome.at,
      resolution_reason: outcome.reason,
    })
    .where("id", "=", id)
    .execute();
}
