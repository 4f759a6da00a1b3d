import type { PromoCodeRow } from "./promo-codes.repository.ts";

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
  code: Pick<PromoCodeRow, "per_user_max" | "total_max">,
  claims: { readonly total: number; readonly ofUser: number },
): boolean {
  return (
    claims.total < (code.total_max ?? Number.POSITIVE_INFINITY) &&
    claims.ofUser < (code.per_user_max ?? Number.POSITIVE_INFINITY)
  );
}
