import { CallError } from "@palisade/contract/http/client";
import type { ErrorCode } from "@palisade/contract/errors/codes";

/** The text to show: the api's own message, else `fallback`. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof CallError && error.problem ? error.problem.message : fallback;
}

export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof CallError && error.problem?.code === code;
}

export function statusOf(error: unknown): number | null {
  return error instanceof CallError ? error.status : null;
}

/** Rejected fields by path, each with the first of the api's texts. */
export function fieldIssues(error: unknown): Record<string, string> {
  if (!(error instanceof CallError) || !error.problem) return {};
  const issues = error.problem.issues.map(({ path, message }) => [path, message] as const);
  return Object.fromEntries(issues.toReversed());
}

/** Whether a retry may help: no answer arrived, or the api failed. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status !== null && (status === 0 || status >= 500);
}
