import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Sealer } from "#src/platform/sealing.ts";
import { DomainError, fieldError } from "./domain-error.ts";

export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The body is what the call began with: `storeFinished` is still to come. */
  readonly unfinished?: true;
}

export interface IdempotentRequest {
  readonly actor: string;
  readonly key: string;
  readonly route: string;
  /** URL and validated body. */
  readonly subject: readonly unknown[];
  readonly now: Date;
  /** Where the body is a secret: it rests encrypted. */
  readonly sealer?: Sealer | undefined;
}

/**
 * Runs `work` at most once per actor and key. The answer is committed together with the
 * change, so a crash or a lost connection at any point leaves either both or neither; a
 * failure leaves nothing and may be tried again with the same key.
 *
 * @param trx the transaction of the change
 * @throws DomainError `idempotency_in_progress` while another request holds the key,
 *   `idempotency_mismatch` where it was used for something else
 */
export async function runOnce(
  trx: Trx,
  request: IdempotentRequest,
  work: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  if (!/^[\x21-\x7e]{1,200}$/.test(request.key)) throw fieldError("Idempotency-Key", "invalid");
  const { actor, key, route } = request;
  const requestHash = createHash("sha256")
    .update(JSON.stringify(request.subject))
    .digest("base64url");

  const lock = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${actor} ${route} ${key}`}, 0)) as taken
  `.execute(trx);
  if (lock.rows[0]?.taken !== true)
    throw new DomainError("idempotency_in_progress", { retryAfterSeconds: 1 });

  const stored = await trx
    .selectFrom("idempotency_keys")
    .select(["request_hash", "status", "answer"])
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("route", "=", route)
    .executeTakeFirst();
  if (stored !== undefined) {
    if (stored.request_hash !== requestHash) throw new DomainError("idempotency_mismatch");
    return opened({ status: stored.status, ...stored.answer }, request);
  }

  const answer = await work();
  await trx
    .insertInto("idempotency_keys")
    .values({
      actor,
      key,
      route,
      request_hash: requestHash,
      status: answer.status,
      answer: toJson(sealed(answer, request)),
      created_at: request.now,
    })
    .execute();
  return answer;
}

/**
 * Stores what an unfinished call came to. Of several that finished it at the same time all get the
 * answer of the first.
 */
export async function storeFinished(
  db: Db,
  { actor, key, route }: IdempotentRequest,
  answer: StoredAnswer,
): Promise<StoredAnswer> {
  const result = await db
    .updateTable("idempotency_keys")
    .set({ status: answer.status, answer: toJson(answer) })
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("route", "=", route)
    .where(sql<boolean>`answer ->> 'unfinished' = 'true'`)
    .executeTakeFirst();
  if (result.numUpdatedRows === 1n) return answer;
  const stored = await db
    .selectFrom("idempotency_keys")
    .select(["status", "answer"])
    .where("actor", "=", actor)
    .where("key", "=", key)
    .where("route", "=", route)
    .executeTakeFirst();
  return stored === undefined ? answer : { status: stored.status, ...stored.answer };
}

function toJson({ body, headers, unfinished }: StoredAnswer): string {
  return JSON.stringify({ body, headers, unfinished });
}

function sealed(answer: StoredAnswer, request: IdempotentRequest): StoredAnswer {
  if (request.sealer === undefined) return answer;
  const body = request.sealer.seal(JSON.stringify(answer.body), subjectOf(request));
  return { ...answer, body };
}

function opened(answer: StoredAnswer, request: IdempotentRequest): StoredAnswer {
  if (request.sealer === undefined) return answer;
  const body: unknown = JSON.parse(request.sealer.open(String(answer.body), subjectOf(request)));
  return { ...answer, body };
}

function subjectOf({ actor, route, key }: IdempotentRequest): string {
  return JSON.stringify([actor, route, key]);
}
