import type { FastifyRequest } from "fastify";
import type { Actor } from "./context.ts";

/** A caller as the request log names them: ids alone, from which no token can be made. */
interface CallerIds {
  readonly user?: string;
  /** `session:<id>` or `api-key:<id>`. */
  readonly credential?: string;
  readonly edge?: string;
}

const callers = new WeakMap<FastifyRequest, CallerIds>();

export function noteCaller(request: FastifyRequest, actor: Actor): void {
  if (actor.kind === "edge") callers.set(request, { edge: actor.edgeId });
  else if (actor.kind === "user") {
    const { kind, id } = actor.credential;
    callers.set(request, { user: actor.userId, credential: `${kind}:${id}` });
  }
}

/** Nothing for a caller without a credential that is good. */
export function callerOf(request: FastifyRequest): CallerIds {
  return callers.get(request) ?? {};
}
