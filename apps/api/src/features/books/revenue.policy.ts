import { addMonths } from "#src/features/subscriptions/billing-period.service.ts";

/** A charge and the time that it pays for. */
export interface RevenueCharge {
  readonly cents: number;
  readonly from: Date;
  /** Not after `from` for what is earned at once. */
  readonly to: Date;
  /** Its part of the months before is earned in this moment's month: what a reversal takes back. */
  readonly notBefore?: Date;
}

/** `2026-11` in UTC. */
export type Month = string;

export function monthOf(at: Date): Month {
  return at.toISOString().slice(0, 7);
}

/**
 * The part of each charge that is earned in each month: by the second, and floored, so that the last
 * month takes the rest and no cent is lost or made.
 */
export function recogniseRevenue(charges: readonly RevenueCharge[]): ReadonlyMap<Month, number> {
  const months = new Map<Month, number>();
  const add = (month: Month, cents: number): void => {
    if (cents !== 0) months.set(month, (months.get(month) ?? 0) + cents);
  };
  for (const { cents, from, to, notBefore } of charges) {
    const first = monthOf(notBefore ?? from);
    const laterOf = (month: Month): Month => (month > first ? month : first);
    const lengthMs = to.getTime() - from.getTime();
    if (lengthMs <= 0) {
      add(laterOf(monthOf(from)), cents);
      continue;
    }
    let earned = 0;
    for (let start = from; start < to; start = nextMonth(start)) {
      const end = Math.min(nextMonth(start).getTime(), to.getTime());
      // In integers: the product of cents and milliseconds exceeds what a number holds exactly.
      const share = (BigInt(cents) * BigInt(end - from.getTime())) / BigInt(lengthMs);
      add(laterOf(monthOf(start)), Number(share) - earned);
      earned = Number(share);
    }
  }
  return new Map([...months].sort(([a], [b]) => a.localeCompare(b)));
}

function nextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
}

export interface RevenueTxn {
  readonly businessKey: string;
  readonly cents: number;
  readonly at: Date;
  /** The anchor of the shield's subscription; null if there is none. */
  readonly anchorAt: Date | null;
  /** The time that the invoice names; null for txns from before invoices named it. */
  readonly period: { readonly from: Date; readonly to: Date } | null;
  /** When the txn was reversed, if this is its reversal: all else is of the txn itself. */
  readonly reversedAt: Date | null;
}

/**
 * The time that a txn of revenue pays for: the one that its invoice names. Without one it is the
 * month from a purchase on, or the month from the end that a renewal's key names, or from its payment
 * if that was later; all else is earned at once. A reversal takes back the months still to come, and
 * in its own month what had been earned before.
 */
export function chargeOf({ reversedAt, ...txn }: RevenueTxn): RevenueCharge {
  const charge = { ...timeOf(txn), cents: txn.cents };
  return reversedAt === null ? charge : { ...charge, notBefore: reversedAt };
}

function timeOf({
  businessKey,
  at,
  anchorAt,
  period,
}: Omit<RevenueTxn, "cents" | "reversedAt">): Pick<RevenueCharge, "from" | "to"> {
  if (period !== null) return period;
  const [kind = "", , ...rest] = businessKey.split(":");
  if (kind === "purchase") return { from: at, to: addMonths(at, 1) };
  const named = new Date(rest.join(":"));
  if (!kind.endsWith("renewal") || Number.isNaN(named.getTime())) {
    return { from: at, to: at };
  }
  const from = named > at ? named : at;
  return { from, to: periodEnd(from, anchorAt) };
}

/** Counted from the anchor, so that a short month does not shorten the next one. */
function periodEnd(from: Date, anchorAt: Date | null): Date {
  if (anchorAt !== null) {
    const months =
      (from.getUTCFullYear() - anchorAt.getUTCFullYear()) * 12 +
      from.getUTCMonth() -
      anchorAt.getUTCMonth();
    if (addMonths(anchorAt, months).getTime() === from.getTime()) {
      return addMonths(anchorAt, months + 1);
    }
  }
  return addMonths(from, 1);
}
