import { z } from "zod";
import { errorStatus, type ErrorCode } from "./codes.ts";

const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** One refused field: where it is, a stable code and the text to show beside it. */
export const problemIssue = z.object({
  path: z.string().describe("Dotted path of the field in the body, query or path parameters"),
  code: z.string(),
  message: z.string(),
});

/** The one error body (RFC 9457, `application/problem+json`). */
export const problem = z
  .object({
    type: z.string().describe("URI of the documentation of `code`"),
    title: z.string(),
    status: z.int(),
    code: z.enum(codes),
    message: z.string().describe("Human text in the language of the request; shown first"),
    issues: z.array(problemIssue),
    request_id: z.string().optional(),
    retry_after: z.int().optional().describe("Seconds, with `rate_limited`"),
  })
  .meta({ id: "Problem" });

export type Problem = z.infer<typeof problem>;
