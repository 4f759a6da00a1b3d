import type { PromoCodeRow } from "./promo-codes.repository.ts";

/**
 * A code as it is stored, whatever case and spaces were typed; null where none can be called so,
 * which also keeps from the database what it cannot compare.
 */
export function readCode(typed: string): string | null {
  const code = typed.trim().toUpperCase();
  return /^[A-Z0-9_-]{3,32}$/.test(code) ? code : null;
}

/** In whole cents, never more than the percentage says. */
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
