import type { Insertable } from "kysely";
import { readCents } from "#src/features/ledger/money.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import type { Database } from "#src/schema/database.ts";

export type StaffOrderRow = NonNullable<Awaited<ReturnType<typeof lockOrder>>>;

function read<Row extends { cents: string }>(row: Row) {
  return { ...row, cents: readCents(row.cents) };
}

/** @returns false if the key has been used; waits for a transaction that is just using it */
export async function insertOrder(
  trx: Trx,
  order: Insertable<Database["staff_orders"]>,
): Promise<boolean> {
  const result = await trx
    .insertInto("staff_orders")
    .values(order)
    .onConflict((conflict) => conflict.column("request_key").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function selectOrderByKey(trx: Trx, requestKey: string) {
  const row = await trx
    .selectFrom("staff_orders")
    .selectAll()
    .where("request_key", "=", requestKey)
    .executeTakeFirstOrThrow();
  return read(row);
}

/** Locked until `trx` ends: of two who decide at once, the second sees the first one's decision. */
export async function lockOrder(trx: Trx, id: string) {
  const row = await trx
    .selectFrom("staff_orders")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row && read(row);
}

/** The removal of two-factor that waits for a second staff member, locked until `trx` ends. */
export async function lockTwoFactorOrder(trx: Trx, userId: string) {
  const row = await trx
    .selectFrom("staff_orders")
    .selectAll()
    .where("user_id", "=", userId)
    .where("kind", "=", "two-factor-off")
    .where("status", "=", "waiting")
    .forUpdate()
    .executeTakeFirst();
  return row && read(row);
}

/** What `prepareOrder` found out. */
export async function describeOrder(
  trx: Trx,
  id: string,
  { userId, cents }: { readonly userId: string | null; readonly cents: number },
): Promise<void> {
  await trx
    .updateTable("staff_orders")
    .set({ user_id: userId, cents })
    .where("id", "=", id)
    .execute();
}

export async function selectWaitingOrders(db: Executor) {
  const rows = await db
    .selectFrom("staff_orders")
    .innerJoin("users as staff", "staff.id", "staff_orders.ordered_by")
    .leftJoin("users as subjects", "subjects.id", "staff_orders.user_id")
    .selectAll("staff_orders")
    .select(["staff.email as ordered_by_email", "subjects.email as subject_email"])
    .where("status", "=", "waiting")
    .orderBy("ordered_at")
    .execute();
  return rows.map(read);
}

export async function endOrder(
  trx: Trx,
  id: string,
  decision: {
    readonly status: "done" | "rejected";
    readonly by: string | null;
    readonly at: Date;
    readonly reason: string | null;
  },
): Promise<void> {
  await trx
    .updateTable("staff_orders")
    .set({
      status: decision.status,
      decided_by: decision.by,
      decided_at: decision.at,
      decision_reason: decision.reason,
    })
    .where("id", "=", id)
    .execute();
}
