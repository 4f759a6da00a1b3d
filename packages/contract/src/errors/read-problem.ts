import { errorStatus } from "./codes.ts";
import type { Problem } from "./problem.ts";

/**
 * The problem document of an answer, or null where it is none. Takes what the schema `problem`
 * takes (a test compares), without zod: the console reads refusals before it loads any form.
 */
export function readProblem(body: unknown): Problem | null {
  if (!isRecord(body)) return null;
  const { type, title, status, code, message, issues, request_id, retry_after } = body;
  const isProblem =
    [type, title, message].every(isText) &&
    Number.isSafeInteger(status) &&
    isText(code) &&
    Object.hasOwn(errorStatus, code) &&
    Array.isArray(issues) &&
    issues.every(isIssue) &&
    (request_id === undefined || isText(request_id)) &&
    (retry_after === undefined || Number.isSafeInteger(retry_after));
  // Every field of the type was looked at.
  return isProblem ? (body as unknown as Problem) : null;
}

function isIssue(value: unknown): boolean {
  return isRecord(value) && [value["path"], value["code"], value["message"]].every(isText);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
