/**
 * The moment `months` after the anchor, in UTC: the same day of the month, or the last day of a
 * shorter month. It is always counted from the anchor, so 31 Jan is followed by 28 Feb and 31 Mar.
 */
export function addMonths(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  // Day 0 of the month after is the last of this one.
  const daysOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const end = new Date(anchor);
  end.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), daysOfMonth));
  return end;
}

/** A renewal is charged this long before the period ends. */
const chargedBeforeEndMs = 24 * 3_600_000;

/** When the renewal of a period is tried first. */
export function firstTryAt(periodEndsAt: Date): Date {
  return new Date(periodEndsAt.getTime() - chargedBeforeEndMs);
}
