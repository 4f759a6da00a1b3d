import type { TextKey } from "@palisade/contract/texts/en";
import { isTextKey } from "@palisade/contract/texts/render";
import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import { DomainError, type FieldIssue } from "#src/platform/errors/domain-error.ts";

/**
 * Validates with the contract's schemas. The contract's messages are text keys; where zod's own
 * default came through, a missing value is `required` and anything else `invalid`. Keys the
 * schema does not name are stripped by zod and never reach a service.
 */
export const contractValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data: unknown) => {
    const result = schema.safeParse(data, { reportInput: true });
    if (result.success) return { value: result.data };
    return { error: new DomainError("validation_failed", { issues: fieldIssues(result.error) }) };
  };

/** At most this many issues are answered, however many entries of a list are wrong. */
const issuesMax = 50;

export function fieldIssues(error: z.ZodError): FieldIssue[] {
  return error.issues.slice(0, issuesMax).map((issue) => ({
    path: issue.path.map(String).join("."),
    code: textKeyOf(issue),
  }));
}

function textKeyOf(issue: z.core.$ZodIssue): TextKey {
  if (isTextKey(issue.message)) return issue.message;
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  return missing ? "required" : "invalid";
}
