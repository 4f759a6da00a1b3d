import { addMonths } from "#src/features/subscriptions/billing-period.service.ts";

/** A charge and the time that it pays for. */
export interface RevenueCharge {
  readonly cents: number;
  readonly from: Date;
  /** Not after `from` for what is earned at once. */
  readonly to: Date;
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
  for (const { cents, from, to } of charges) {
    const lengthMs = to.getTime() - from.getTime();
    if (lengthMs <= 0) {
      add(monthOf(from), cents);
      continue;
    }
    let earned = 0;
    for (let start = from; start < to; start = nextMonth(start)) {
      const end = Math.min(nextMonth(start).getTime(), to.getTime());
      // In integers: the product of cents and milliseconds exceeds what a number holds exactly.
      const share = (BigInt(cents) * BigInt(end - from.getTime())) / BigInt(lengthMs);
      add(monthOf(start), Number(share) - earned);
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
}

/**
 * The time that a txn of revenue pays for: a purchase the month from then on, a renewal the month
 * from the end that its key names, or from its payment if that was later. Everything else, such as
 * the difference of an upgrade or a reversal, is earned at once.
 */
export function chargeOf({ businessKey, cents, at, anchorAt }: RevenueTxn): RevenueCharge {
  const [kind = "", , ...rest] = businessKey.split(":");
  if (kind === "purchase") return { cents, from: at, to: addMonths(at, 1) };
  const named = new Date(rest.join(":"));
  if (!kind.endsWith("renewal") || Number.isNaN(named.getTime())) {
    return { cents, from: at, to: at };
  }
  const from = named > at ? named : at;
  return { cents, from, to: periodEnd(from, anchorAt) };
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
