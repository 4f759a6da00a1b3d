import { sql } from "kysely";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";

export interface IdempotencyKey {
  readonly actor: string;
  readonly key: string;
  readonly route: string;
}

/** False while another request holds the key; held until `trx` ends. */
export async function lockKey(trx: Trx, { actor, key, route }: IdempotencyKey): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${actor} ${route} ${key}`}, 0)) as taken
  `.execute(trx);
  return rows[0]?.taken === true;
}

export function selectAnswer(executor: Executor, { actor, key, route }: IdempotencyKey) {
  return executor
    .selectFrom("idempotency_keys")
    .select(["request_hash", "status", "answer"])
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("route", "=", route)
    .executeTakeFirst();
}

export async function insertAnswer(
  trx: Trx,
  { actor, key, route }: IdempotencyKey,
  answer: {
    readonly requestHash: string;
    readonly status: number;
    readonly json: string;
    readonly now: Date;
  },
): Promise<void> {
  await trx
    .insertInto("idempotency_keys")
    .values({
      actor,
      key,
      route,
      request_hash: answer.requestHash,
      status: answer.status,
      answer: answer.json,
      created_at: answer.now,
    })
    .execute();
}

/** Returns false when another request has finished the call first. */
export async function finishAnswer(
  db: Db,
  { actor, key, route }: IdempotencyKey,
  answer: { readonly status: number; readonly json: string },
): Promise<boolean> {
  const result = await db
    .updateTable("idempotency_keys")
    .set({ status: answer.status, answer: answer.json })
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("route", "=", route)
    .where(sql<boolean>`answer ->> 'unfinished' = 'true'`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteOldAnswers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("idempotency_keys").where("created_at", "<", before).execute();
}
