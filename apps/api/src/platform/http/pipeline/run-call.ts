import { Readable } from "node:stream";
import type { RouteDefinition } from "@palisade/contract/http/route";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Sealer } from "#src/platform/security/sealing.ts";
import type { Call } from "./call.ts";
import type { RequestContext } from "./context.ts";
import {
  runOnce,
  storeFinished,
  type IdempotentRequest,
  type StoredAnswer,
} from "./idempotency.ts";
import { selectAnswer } from "./idempotency.repository.ts";
import { returnHits } from "./limits.repository.ts";
import type { Answer } from "./mount-types.ts";
import type { Upload } from "./uploads.ts";

export interface ErasedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly uploads?: readonly Upload[] | undefined;
}

/** A handler once its types were checked against the contract at the call of `mount`. */
export type ErasedHandler = (
  ctx: RequestContext,
  input: ErasedInput,
) => Promise<Answer<RouteDefinition>>;

/** `answer` alone, or the steps of `TwoSteps`. */
export interface ErasedSteps {
  readonly answer?: ErasedHandler;
  prepare?(ctx: RequestContext, input: ErasedInput): Promise<unknown>;
  begin?(ctx: RequestContext, input: ErasedInput, prepared: unknown): Promise<object>;
  finish?(ctx: RequestContext, begun: unknown): Promise<Answer<RouteDefinition>>;
  discard?(prepared: unknown): Promise<void>;
}

export interface RunnerDeps {
  readonly db: Db;
  readonly answerSealer: Sealer;
}

type Run = (call: Call, input: ErasedInput) => Promise<Answer<RouteDefinition> | StoredAnswer>;

/** Runs the handler of a route: once per Idempotency-Key, where the call has one. */
export function createRunner(
  deps: RunnerDeps,
  definition: RouteDefinition,
  steps: ErasedSteps,
): Run {
  const finishing = new Set<string>();

  async function begin(call: Call, input: ErasedInput, prepared: unknown) {
    if (steps.answer !== undefined) return steps.answer(call, input);
    if (steps.begin === undefined) throw new Error(`Route ${definition.id} does nothing`);
    return { body: await steps.begin(call, input, prepared) };
  }

  /** After any other error than a refusal the transaction may have been committed. */
  async function orDiscard<T>(work: Promise<T>, prepared: unknown): Promise<T> {
    return work.catch(async (error: unknown) => {
      if (error instanceof DomainError) await steps.discard?.(prepared);
      throw error;
    });
  }

  async function runPlain(call: Call, input: ErasedInput, prepared: unknown) {
    const begun = await orDiscard(begin(call, input, prepared), prepared);
    const answer = steps.finish === undefined ? begun : await steps.finish(call, begun.body);
    await returnHits(deps.db, call.returnable, call.now);
    return answer;
  }

  async function runKeyed(call: Call, input: ErasedInput, key: string) {
    const request = {
      actor: call.auditEntry(0).chain,
      key,
      route: definition.id,
      subject: subjectOf(input),
      now: call.now,
      sealer: definition.answersSecret === true ? deps.answerSealer : undefined,
    };
    // A repeated call prepares nothing: it could be refused for what the first one used up.
    const isRepeated =
      steps.prepare !== undefined && (await selectAnswer(deps.db, request)) !== undefined;
    const prepared = isRepeated ? undefined : await steps.prepare?.(call, input);
    let isFirst = false;
    const transaction = call.transaction((trx) =>
      runOnce(trx, request, async () => {
        // The stored answer has just become too old.
        if (isRepeated) throw new DomainError("idempotency_in_progress", { retryAfterSeconds: 1 });
        isFirst = true;
        const answer = storable(definition, await begin(call, input, prepared));
        return steps.finish === undefined ? answer : { ...answer, unfinished: true };
      }),
    );
    const stored = await (isRepeated ? transaction : orDiscard(transaction, prepared));
    if (!isFirst && !isRepeated) await steps.discard?.(prepared);
    if (steps.finish === undefined || stored.unfinished !== true) return stored;
    const finish = steps.finish.bind(steps);
    return runAlone(finishing, request, async () => {
      const finished = storable(definition, await finish(call, stored.body));
      return storeFinished(deps.db, request, finished);
    });
  }

  return async (call, input) => {
    const { idempotencyKey: key } = call;
    if (definition.idempotent === true && key !== undefined) return runKeyed(call, input, key);
    return runPlain(call, input, await steps.prepare?.(call, input));
  };
}

/** Everything that makes two calls the same; of files, their content. */
function subjectOf({ params, query, body, uploads }: ErasedInput): readonly unknown[] {
  if (uploads === undefined) return [params, query, body];
  return [params, query, body, uploads.map(({ name, sha256 }) => [name, sha256])];
}

/** Another process may run it at the same time: doing it twice has the same effect as once. */
async function runAlone<T>(
  running: Set<string>,
  { actor, key }: IdempotentRequest,
  work: () => Promise<T>,
): Promise<T> {
  const name = `${actor} ${key}`;
  if (running.has(name)) throw new DomainError("idempotency_in_progress", { retryAfterSeconds: 1 });
  running.add(name);
  try {
    return await work();
  } finally {
    running.delete(name);
  }
}

function storable(definition: RouteDefinition, answer: Answer<RouteDefinition>): StoredAnswer {
  if (answer.body instanceof Readable || Buffer.isBuffer(answer.body))
    throw new Error(`Route ${definition.id} streams: it cannot be repeated`);
  return { status: definition.success, body: answer.body, headers: answer.headers ?? {} };
}
