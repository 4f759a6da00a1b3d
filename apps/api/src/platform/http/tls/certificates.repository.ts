import { sql } from "kysely";
import type { Db } from "#src/platform/database/db.ts";

/** As it is stored: the private key is encrypted. */
export interface StoredCertificate {
  readonly chain: string;
  readonly sealedKey: string;
}

export async function selectCertificate(
  db: Db,
  domain: string,
): Promise<StoredCertificate | undefined> {
  const row = await db
    .selectFrom("certificates")
    .select(["chain", "sealed_key"])
    .where("domain", "=", domain)
    .executeTakeFirst();
  if (row?.chain == null || row.sealed_key === null) return undefined;
  return { chain: row.chain, sealedKey: row.sealed_key };
}

/** The chain and how many tries for the next one have failed in a row. */
export function selectOrders(db: Db, domain: string) {
  return db
    .selectFrom("certificates")
    .select(["chain", "failures"])
    .where("domain", "=", domain)
    .executeTakeFirst();
}

/** Ends the order. */
export async function updateCertificate(
  db: Db,
  domain: string,
  { chain, sealedKey }: StoredCertificate,
): Promise<void> {
  await db
    .updateTable("certificates")
    .set({ chain, sealed_key: sealedKey, order_blocked_until: null, failures: 0 })
    .where("domain", "=", domain)
    .execute();
}

/** @returns how many tries have failed in a row; undefined where another process has the order */
export async function takeOrder(
  db: Db,
  domain: string,
  time: { readonly now: Date; readonly until: Date },
): Promise<number | undefined> {
  const { rows } = await sql<{ failures: number }>`
    insert into certificates as c (domain, order_blocked_until) values (${domain}, ${time.until})
    on conflict (domain) do update set order_blocked_until = ${time.until}
    where c.order_blocked_until is null or c.order_blocked_until <= ${time.now}
    returning c.failures
  `.execute(db);
  return rows[0]?.failures;
}

export async function releaseOrder(db: Db, domain: string): Promise<void> {
  await db
    .updateTable("certificates")
    .set({ order_blocked_until: null })
    .where("domain", "=", domain)
    .execute();
}

export async function selectOrderEnd(db: Db, domain: string): Promise<Date | null> {
  const row = await db
    .selectFrom("certificates")
    .select("order_blocked_until")
    .where("domain", "=", domain)
    .executeTakeFirst();
  return row?.order_blocked_until ?? null;
}

export async function countFailure(db: Db, domain: string, retryAt: Date): Promise<void> {
  await db
    .updateTable("certificates")
    .set(({ eb }) => ({ order_blocked_until: retryAt, failures: eb("failures", "+", 1) }))
    .where("domain", "=", domain)
    .execute();
}

/** @returns the account's key, which another process may have made first */
export async function keepAccountKey(
  db: Db,
  directoryUrl: string,
  sealedKey: string,
): Promise<string> {
  await db
    .insertInto("acme_accounts")
    .values({ directory_url: directoryUrl, sealed_key: sealedKey })
    .onConflict((conflict) => conflict.column("directory_url").doNothing())
    .execute();
  return (await selectAccountKey(db, directoryUrl)) ?? sealedKey;
}

export async function selectAccountKey(db: Db, directoryUrl: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("acme_accounts")
    .select("sealed_key")
    .where("directory_url", "=", directoryUrl)
    .executeTakeFirst();
  return row?.sealed_key;
}

export async function insertAnswer(
  db: Db,
  challenge: { readonly token: string; readonly answer: string },
  time: { readonly now: Date; readonly until: Date },
): Promise<void> {
  await db.deleteFrom("acme_challenges").where("expires_at", "<=", time.now).execute();
  await db
    .insertInto("acme_challenges")
    .values({ ...challenge, expires_at: time.until })
    .onConflict((conflict) =>
      conflict.column("token").doUpdateSet({ answer: challenge.answer, expires_at: time.until }),
    )
    .execute();
}

export async function deleteAnswer(db: Db, token: string): Promise<void> {
  await db.deleteFrom("acme_challenges").where("token", "=", token).execute();
}

/** By token; there are as many as names of the certificate. */
export async function selectAnswers(db: Db, now: Date): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("acme_challenges")
    .select(["token", "answer"])
    .where("expires_at", ">", now)
    .execute();
  return new Map(rows.map(({ token, answer }) => [token, answer]));
}
