import { errorStatus, type ErrorCode } from "@palisade/contract/errors/codes";
import { problem, type Problem } from "@palisade/contract/errors/problem";
import { isTextKey, renderText, type Locale } from "@palisade/contract/texts/render";
import type { z } from "zod";

interface RefusedField {
  readonly path: string;
  readonly code: string;
  /** Else the contract's text for the code. */
  readonly message?: string;
}

/** An answer of the stub api that is no success. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly RefusedField[];
  /** Else the contract's text for the code. */
  readonly words: string | undefined;

  constructor(code: ErrorCode, issues: Refusal["issues"] = [], words?: string) {
    super(code);
    this.code = code;
    this.issues = issues;
    this.words = words;
  }
}

/** The contract's error body, in the language of the request. */
export function problemOf({ code, issues, words }: Refusal, locale: Locale): Problem {
  return problem.parse({
    type: `/api/docs#${code}`,
    title: renderText("en", `error.${code}`),
    status: errorStatus[code],
    code,
    message: words ?? renderText(locale, `error.${code}`),
    issues: issues.map((issue) => ({ message: renderText(locale, issue.code), ...issue })),
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
