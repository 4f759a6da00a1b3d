import type { AnswerCookie } from "#src/platform/http/pipeline/mount-types.ts";
import { newToken } from "#src/platform/security/tokens.ts";
import { sameHash } from "#src/platform/security/one-time-codes.ts";

/**
 * Binds a code to the browser that registered. Its companion XSRF-TOKEN can be read by our pages
 * alone and must come back as a header.
 */
const pendingName = "palisade_pending";
const xsrfName = "XSRF-TOKEN";
const xsrfHeader = "x-xsrf-token";
const lifeSeconds = 24 * 3600;

interface CookieReader {
  cookie(name: string): string | undefined;
  header(name: string): string | undefined;
}

export function newPendingToken(): string {
  return newToken("ppr_");
}

export function pendingCookies(token: string): AnswerCookie[] {
  return [
    { name: pendingName, value: token, httpOnly: true, maxAgeSeconds: lifeSeconds },
    { name: xsrfName, value: newToken(""), httpOnly: false, maxAgeSeconds: lifeSeconds },
  ];
}

export const clearedPendingCookies: readonly AnswerCookie[] = [
  { name: pendingName, value: "", httpOnly: true, maxAgeSeconds: 0 },
  { name: xsrfName, value: "", httpOnly: false, maxAgeSeconds: 0 },
];

export interface PendingToken {
  readonly token: string;
  /** It came with its anti-forgery header: one of our pages sent it, not another site. */
  readonly isProven: boolean;
}

/** The token of the pending registration, where the browser sent one. */
export function readPendingToken(ctx: CookieReader): PendingToken | undefined {
  const token = ctx.cookie(pendingName);
  if (token === undefined || token === "") return undefined;
  const expected = ctx.cookie(xsrfName) ?? "";
  const given = ctx.header(xsrfHeader) ?? "";
  return { token, isProven: expected !== "" && sameHash(expected, given) };
}
