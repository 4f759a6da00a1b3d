import type { ErrorCode } from "@palisade/contract/errors/codes";
import type { FastifyRequest } from "fastify";

const codes = new WeakMap<FastifyRequest, ErrorCode>();

/** Remembers why a request was refused, for the request log. */
export function noteProblem(request: FastifyRequest, code: ErrorCode): void {
  codes.set(request, code);
}

/** Nothing for a request that succeeded. */
export function problemOf(request: FastifyRequest): { readonly code?: ErrorCode } {
  const code = codes.get(request);
  return code === undefined ? {} : { code };
}
