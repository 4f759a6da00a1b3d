import { createHash } from "node:crypto";
import type { Db, Trx } from "#src/platform/database/db.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import {
  finishAnswer,
  insertAnswer,
  lockKey,
  selectAnswer,
  type IdempotencyKey,
} from "./idempotency.repository.ts";

export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The body is the one of `begin`; `storeFinished` is still to come. */
  readonly unfinished?: true;
}

export interface IdempotentRequest extends IdempotencyKey {
  /** URL and validated body. */
  readonly subject: readonly unknown[];
  readonly now: Date;
  /** Given when the answer holds a secret, which is then stored encrypted. */
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
  const requestHash = createHash("sha256")
    .update(JSON.stringify(request.subject))
    .digest("base64url");

  if (!(await lockKey(trx, request))) {
    throw new DomainError("idempotency_in_progress", { retryAfterSeconds: 1 });
  }
  const stored = await selectAnswer(trx, request);
  if (stored !== undefined) {
    if (stored.request_hash !== requestHash) throw new DomainError("idempotency_mismatch");
    return opened({ status: stored.status, ...stored.answer }, request);
  }

  const answer = await work();
  const json = toJson(sealed(answer, request));
  await insertAnswer(trx, request, { requestHash, status: answer.status, json, now: request.now });
  return answer;
}

/**
 * Stores the answer of an unfinished call. When several requests finish it at the same time, all of
 * them get the answer of the first.
 */
export async function storeFinished(
  db: Db,
  key: IdempotencyKey,
  answer: StoredAnswer,
): Promise<StoredAnswer> {
  if (await finishAnswer(db, key, { status: answer.status, json: toJson(answer) })) return answer;
  const stored = await selectAnswer(db, key);
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
