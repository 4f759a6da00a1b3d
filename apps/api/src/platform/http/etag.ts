import { createHash } from "node:crypto";
import { DomainError } from "#src/platform/errors/domain-error.ts";

/** Strong ETag of a JSON value. */
export function etagOf(value: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 27)}"`;
}

/**
 * Refuses a write based on an older state; a missing If-Match is accepted.
 * Call it inside the transaction, after the row was locked.
 */
export function requireMatch(ctx: { readonly ifMatch: string | undefined }, etag: string): void {
  if (ctx.ifMatch === undefined || ctx.ifMatch === "*") return;
  const candidates = ctx.ifMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (!candidates.includes(etag)) throw new DomainError("precondition_failed");
}
