import { errorStatus, type ErrorCode } from "@palisade/contract/errors/codes";
import type { Problem } from "@palisade/contract/errors/problem";
import { renderText, type Locale } from "@palisade/contract/texts/render";
import { DomainError } from "./domain-error.ts";

export interface TranslatedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
  /** Logged with its cause, while the caller only gets the request id. */
  readonly isUnexpected: boolean;
}

/** Any error as the one error body of the product. */
export function translateError(error: unknown, locale: Locale, requestId: string): TranslatedError {
  const known = error instanceof DomainError ? error : fromForeignError(error);
  const message = renderText(locale, known.text, known.values);
  const retryAfter = known.retryAfterSeconds;
  return {
    status: known.status,
    headers: {
      ...known.headers,
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: {
      type: `/api/docs#${known.code}`,
      title: renderText("en", `error.${known.code}`, known.values),
      status: known.status,
      code: known.code,
      message,
      issues: known.issues.map((issue) => ({
        ...issue,
        message: renderText(locale, issue.code, known.values),
      })),
      request_id: requestId,
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    },
    isUnexpected: known.status >= 500,
  };
}

function fromForeignError(error: unknown): DomainError {
  const code = fastifyCode(error);
  // First: a caller who leaves in the middle of a body ends with ECONNRESET as well, and that is no
  // failure that an operator should be woken for.
  if (code === undefined && isUnavailable(error))
    return new DomainError("unavailable", { cause: error, retryAfterSeconds: 5 });
  return new DomainError(code ?? "internal", { cause: error });
}

/** Refusals of Fastify and its plugins, by status: they come before a handler runs. */
function fastifyCode(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  switch (error.statusCode) {
    case errorStatus.payload_too_large:
      return "payload_too_large";
    case errorStatus.unsupported_media_type:
      return "unsupported_media_type";
    case errorStatus.not_found:
      return "not_found";
    case errorStatus.unavailable:
      return "unavailable";
    default:
      return isClientError(error.statusCode) ? "bad_request" : undefined;
  }
}

function isClientError(status: unknown): boolean {
  return typeof status === "number" && status >= 400 && status < 500;
}

/**
 * PostgreSQL is away or gave up waiting: SQLSTATE classes 08 (connection), 53 (resources),
 * 57P0x (shutting down, starting up), 57014 (statement time-out), 55P03 (lock time-out).
 */
const unavailableStates = /^(08|53|57P0|57014|55P03|25P03|40001|40P01)/;
const unavailableCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") {
    // PostgreSQL's socket is not there. A file that is missing is a defect of ours.
    if (error.code === "ENOENT") return "syscall" in error && error.syscall === "connect";
    return unavailableCodes.has(error.code) || unavailableStates.test(error.code);
  }
  // pg gives these no code. The last is of a rollback on a connection lost with its COMMIT.
  return /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable/i.test(
    error.message,
  );
}
