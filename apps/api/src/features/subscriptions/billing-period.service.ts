/**
 * The moment `months` after the anchor, in UTC: the same day of the month, or its last day where
 * it is shorter. Always counted from the anchor, so 31 Jan is followed by 28 Feb and 31 Mar
 * (decision 25).
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
