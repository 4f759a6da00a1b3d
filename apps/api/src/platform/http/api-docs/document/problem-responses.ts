import { commonErrors, errorStatus, type ErrorCode } from "@palisade/contract/errors/codes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { translateError } from "#src/platform/errors/error-translator.ts";
import { problemHeaders } from "./headers.ts";

const requestId = "0199a3f2-7c10-7000-8000-5f1a2b3c4dff";
const retryAfterSeconds = 42;
const values = { seconds: retryAfterSeconds, euros: "250", price: "12.99", max: 5 };

/**
 * Codes the route can answer: its own, and of those every route shares the ones that can come up.
 *
 * @param refusedField a field that validation may refuse; undefined where there is nothing to check
 */
export function answerableErrors(
  route: RouteDefinition,
  refusedField: string | undefined,
): readonly ErrorCode[] {
  const hasBody = route.method !== "GET";
  const shared = commonErrors.filter((code) => {
    if (code === "validation_failed") return refusedField !== undefined;
    if (hasBody || code === "rate_limited") return true;
    return code !== "payload_too_large" && code !== "unsupported_media_type";
  });
  // A caller with the right to call it may still present a key without that right.
  const refusesKeys = route.access !== "anonymous" && route.apiKey !== "read";
  return [
    ...new Set<ErrorCode>([
      ...route.errors,
      ...(refusesKeys ? ["forbidden" as const] : []),
      ...shared,
    ]),
  ];
}

/** Refusals by status, each code with the body it travels in. */
export function problemResponses(route: RouteDefinition, refusedField: string | undefined) {
  const codes = answerableErrors(route, refusedField);
  const statuses = [...new Set(codes.map((code) => errorStatus[code]))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => errorStatus[code] === status);
      const examples = own.map((code) => [code, { value: exampleProblem(code, refusedField) }]);
      return [
        status,
        {
          description: own.map((code) => `\`${code}\``).join(", "),
          headers: problemHeaders(status),
          content: {
            "application/problem+json": {
              schema: { $ref: "#/components/schemas/Problem" },
              examples: Object.fromEntries(examples),
            },
          },
        },
      ];
    }),
  );
}

/** Made by the translator that answers with it. */
export function exampleProblem(code: ErrorCode, field = "email") {
  const waits = code === "rate_limited" || code === "unavailable";
  const error = new DomainError(code, {
    values,
    ...(code === "validation_failed" ? { issues: [{ path: field, code: "required" }] } : {}),
    ...(waits ? { retryAfterSeconds } : {}),
  });
  return translateError(error, "en", requestId).body;
}
