import type { PromoCodeRow } from "./promo-codes.repository.ts";

/**
 * A typed code in its stored form: upper case, without spaces around it. Null for text that cannot be
 * a code, so that the database never gets characters it cannot compare.
 */
export function readCode(typed: string): string | null {
  const code = typed.trim().toUpperCase();
  return /^[A-Z0-9_-]{3,32}$/.test(code) ? code : null;
}

/** The bonus in whole cents, rounded down. */
export function bonusCentsOf(amountCents: number, percentage: number): number {
  return Math.floor((amountCents * percentage) / 100);
}

export function isWithinWindow(
  code: Pick<PromoCodeRow, "starts_at" | "ends_at">,
  at: Date,
): boolean {
  return code.starts_at <= at && (code.ends_at === null || at < code.ends_at);
}

export function isLeft(
  code: Pick<PromoCodeRow, "per_user_max" | "total_max" | "claims">,
  claimsOfUser: number,
): boolean {
  return (
    code.claims < (code.total_max ?? Number.POSITIVE_INFINITY) &&
    claimsOfUser < (code.per_user_max ?? Number.POSITIVE_INFINITY)
  );
}
