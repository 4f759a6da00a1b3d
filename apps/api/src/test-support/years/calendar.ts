/** Reckoning of months of its own, so that the product's is compared with another one. */

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The same day and time of day `months` later in UTC, or the last day of a shorter month. */
export function monthsLater(anchorMs: number, months: number): number {
  const anchor = new Date(anchorMs).toISOString();
  const since = Number(anchor.slice(0, 4)) * 12 + Number(anchor.slice(5, 7)) - 1 + months;
  const year = Math.floor(since / 12);
  const month = since % 12;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 1 && isLeap ? 29 : (daysOfMonths[month] ?? 0);
  const day = Math.min(Number(anchor.slice(8, 10)), days);
  const two = (part: number): string => String(part).padStart(2, "0");
  return Date.parse(`${year}-${two(month + 1)}-${two(day)}${anchor.slice(10)}`);
}
