import { errorStatus, type ErrorCode } from "@palisade/contract/errors/codes";
import { problem, type Problem } from "@palisade/contract/errors/problem";
import { isTextKey, renderText, type Locale } from "@palisade/contract/texts/render";
import type { z } from "zod";

/** An answer of the stub api that is no success. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly { readonly path: string; readonly code: string }[];

  constructor(code: ErrorCode, issues: Refusal["issues"] = []) {
    super(code);
    this.code = code;
    this.issues = issues;
  }
}

/** The contract's error body, in the language of the request. */
export function problemOf({ code, issues }: Refusal, locale: Locale): Problem {
  return problem.parse({
    type: `/api/docs#${code}`,
    title: renderText("en", `error.${code}`),
    status: errorStatus[code],
    code,
    message: renderText(locale, `error.${code}`),
    issues: issues.map((issue) => ({ ...issue, message: renderText(locale, issue.code) })),
  } satisfies Problem);
}

/** @throws Refusal `validation_failed`, with the contract's own text key for each field */
export function validated(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Refusal(
    "validation_failed",
    result.error.issues.map((issue) => ({
      path: issue.path.map(String).join("."),
      code: textKeyOf(issue),
    })),
  );
}

function textKeyOf({ message, code, input }: z.core.$ZodIssue): string {
  if (isTextKey(message)) return message;
  return code === "invalid_type" && input === undefined ? "required" : "invalid";
}
