import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { SystemAccountKind, TxnKind, UserAccountKind } from "#src/schema/ledger.ts";
import { readCents } from "./money.service.ts";

const userAccountKinds: readonly UserAccountKind[] = ["cash", "bonus"];

export interface UserAccountRow {
  readonly id: string;
  readonly kind: UserAccountKind;
  readonly cents: number;
}

export interface PostingRow {
  readonly kind: UserAccountKind | SystemAccountKind;
  readonly userId: string | null;
  readonly cents: number;
}

/** An account exists from its first posting on. */
export async function selectUserAccounts(db: Executor, userId: string): Promise<UserAccountRow[]> {
  return (await userAccounts(db, userId).execute()).map(readAccount);
}

/** Creates missing accounts of the user, and locks their balances until `trx` ends. */
export async function lockUserAccounts(trx: Trx, userId: string): Promise<UserAccountRow[]> {
  const lock = () => userAccounts(trx, userId).forNoKeyUpdate("ledger_balances").execute();
  let rows = await lock();
  if (rows.length < userAccountKinds.length) {
    await insertUserAccounts(trx, userId);
    rows = await lock();
  }
  return rows.map(readAccount);
}

/** Always in the same order, so that two transactions which lock the same rows cannot deadlock. */
function userAccounts(db: Executor, userId: string) {
  return db
    .selectFrom("ledger_accounts")
    .innerJoin("ledger_balances", "ledger_balances.account_id", "ledger_accounts.id")
    .select(["ledger_accounts.id", "ledger_accounts.kind", "ledger_balances.cents"])
    .where("ledger_accounts.user_id", "=", userId)
    .where("ledger_accounts.kind", "in", userAccountKinds)
    .orderBy("ledger_accounts.id")
    .$narrowType<{ kind: UserAccountKind }>();
}

function readAccount(row: { id: string; kind: UserAccountKind; cents: string }): UserAccountRow {
  return { ...row, cents: readCents(row.cents) };
}

async function insertUserAccounts(trx: Trx, userId: string): Promise<void> {
  await trx
    .insertInto("ledger_accounts")
    .values(userAccountKinds.map((kind) => ({ id: newId(), kind, user_id: userId })))
    .onConflict((conflict) => conflict.columns(["user_id", "kind"]).doNothing())
    .execute();
  await trx
    .insertInto("ledger_balances")
    .columns(["account_id"])
    .expression(trx.selectFrom("ledger_accounts").select("id").where("user_id", "=", userId))
    .onConflict((conflict) => conflict.column("account_id").doNothing())
    .execute();
}

export async function markDebtAllowed(trx: Trx, accountId: string): Promise<void> {
  await trx
    .updateTable("ledger_balances")
    .set({ debt_allowed: true })
    .where("account_id", "=", accountId)
    .execute();
}

export async function selectSystemAccount(trx: Trx, kind: SystemAccountKind): Promise<string> {
  const { id } = await trx
    .selectFrom("ledger_accounts")
    .select("id")
    .where("kind", "=", kind)
    .where("user_id", "is", null)
    .executeTakeFirstOrThrow();
  return id;
}

export interface TxnRow {
  readonly id: string;
  readonly kind: TxnKind;
  readonly businessKey: string;
  readonly note: string | null;
  readonly at: Date;
}

/** @returns false if the key is taken; waits for a transaction that is just taking it */
export async function insertTxn(trx: Trx, txn: TxnRow): Promise<boolean> {
  const result = await trx
    .insertInto("ledger_txns")
    .values({
      id: txn.id,
      kind: txn.kind,
      business_key: txn.businessKey,
      note: txn.note,
      created_at: txn.at,
    })
    .onConflict((conflict) => conflict.column("business_key").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** The only way money moves: postings and the balances they change, together. */
export async function insertPostings(
  trx: Trx,
  txnId: string,
  postings: readonly { readonly accountId: string; readonly cents: number }[],
): Promise<void> {
  await trx
    .insertInto("ledger_postings")
    .values(
      postings.map(({ accountId, cents }) => ({ txn_id: txnId, account_id: accountId, cents })),
    )
    .execute();
  for (const { accountId, cents } of postings) {
    // System accounts have no balance row: nothing is updated for them.
    await trx
      .updateTable("ledger_balances")
      .set((eb) => ({ cents: eb("cents", "+", String(cents)) }))
      .where("account_id", "=", accountId)
      .execute();
  }
}

/** The postings under a business key. */
export async function selectPostings(trx: Trx, businessKey: string): Promise<PostingRow[]> {
  const rows = await trx
    .selectFrom("ledger_txns")
    .innerJoin("ledger_postings", "ledger_postings.txn_id", "ledger_txns.id")
    .innerJoin("ledger_accounts", "ledger_accounts.id", "ledger_postings.account_id")
    .select(["ledger_accounts.kind", "ledger_accounts.user_id", "ledger_postings.cents"])
    .where("ledger_txns.business_key", "=", businessKey)
    .execute();
  return rows.map(({ kind, user_id, cents }) => ({
    kind,
    userId: user_id,
    cents: readCents(cents),
  }));
}

/** The sum of each day's movements (UTC) since a moment; days without movement are absent. */
export async function selectDailyChanges(
  db: Executor,
  userId: string,
  since: Date,
): Promise<{ day: string; cents: string }[]> {
  const day = sql<string>`to_char(ledger_txns.created_at at time zone 'UTC', 'YYYY-MM-DD')`;
  return db
    .selectFrom("ledger_accounts")
    .innerJoin("ledger_postings", "ledger_postings.account_id", "ledger_accounts.id")
    .innerJoin("ledger_txns", "ledger_txns.id", "ledger_postings.txn_id")
    .select(({ fn }) => [day.as("day"), fn.sum<string>("ledger_postings.cents").as("cents")])
    .where("ledger_accounts.user_id", "=", userId)
    .where("ledger_txns.created_at", ">=", since)
    .groupBy(day)
    .execute();
}
