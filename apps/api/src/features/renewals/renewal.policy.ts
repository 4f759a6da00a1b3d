import type { RenewalNotice } from "#src/schema/subscriptions.ts";

export const hourMs = 3_600_000;
/** Unpaid, a shield stays active for so long after its period. */
export const graceMs = 72 * hourMs;
/** Another try after so long, where it was interrupted or may not end the protection now. */
export const leaseMs = 300_000;

/** Hours from the end of the period at which a renewal is tried; the last one ends the grace. */
const triesAtHours = [-24, -12, 0, 12, 24, 48, 71, 72] as const;
const supportTriesAtHours = [-24, -12, 0] as const;

/** More tries of a card than the schedule has would look like fraud to its bank. */
export const cardTriesMax = triesAtHours.length;

/** The next moment of the schedule after `now`; soon where the schedule is over. */
export function nextTryAt(periodEndsAt: Date, now: Date): Date {
  return scheduled(triesAtHours, periodEndsAt, now);
}

/** As `nextTryAt`, for support plans: they have no grace. */
export function nextSupportTryAt(periodEndsAt: Date, now: Date): Date {
  return scheduled(supportTriesAtHours, periodEndsAt, now);
}

function scheduled(hours: readonly number[], periodEndsAt: Date, now: Date): Date {
  const times = hours.map((hour) => periodEndsAt.getTime() + hour * hourMs);
  return new Date(times.find((time) => time > now.getTime()) ?? now.getTime() + leaseMs);
}

export function isGraceOver(periodEndsAt: Date, now: Date): boolean {
  return now.getTime() >= periodEndsAt.getTime() + graceMs;
}

/** The mail that an unpaid period calls for now. */
export function noticeAt(periodEndsAt: Date, now: Date, isTried: boolean): RenewalNotice {
  const late = now.getTime() - periodEndsAt.getTime();
  if (late >= 48 * hourMs) return "last_day";
  if (late >= 0) return "grace";
  return isTried ? "failed" : "ending";
}

const order: readonly (RenewalNotice | null)[] = [
  null,
  "low",
  "ending",
  "failed",
  "grace",
  "last_day",
];

/** Whether `notice` says something that the mails before it have not said. */
export function isNews(notice: RenewalNotice, told: RenewalNotice | null): boolean {
  return order.indexOf(notice) > order.indexOf(told);
}

/** The reason of a renewal in the ledger: what follows a period is paid once. */
export function renewalKey(shieldId: string, periodEndsAt: Date): string {
  return `renewal:${shieldId}:${periodEndsAt.toISOString()}`;
}

export function supportRenewalKey(userId: string, periodEndsAt: Date): string {
  return `support-renewal:${userId}:${periodEndsAt.toISOString()}`;
}
