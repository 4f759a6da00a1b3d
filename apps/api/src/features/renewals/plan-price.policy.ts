/** A paid period: of `priceCents`, from its start to its end. */
export interface PaidPeriod {
  readonly priceCents: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * The price of a dearer plan for the rest of the period, in whole cents, rounded down. A period
 * that was renewed ahead of its start has more seconds left than it is long.
 */
export function upgradeCents(period: PaidPeriod, newPriceCents: number, now: Date): number {
  return floorShare(newPriceCents - period.priceCents, period, now);
}

/** The price of a new period, less what is left of the one before it, in whole cents, rounded down. */
export function replacementCents(period: PaidPeriod, newPriceCents: number, now: Date): number {
  const { left, length } = secondsOf(period, now);
  const cents = (BigInt(newPriceCents) * length - BigInt(period.priceCents) * left) / length;
  return Math.max(0, Number(cents));
}

function floorShare(cents: number, period: PaidPeriod, now: Date): number {
  const { left, length } = secondsOf(period, now);
  return Math.max(0, Number((BigInt(cents) * left) / length));
}

function secondsOf({ startsAt, endsAt }: PaidPeriod, now: Date) {
  const seconds = (from: Date, to: Date): bigint =>
    BigInt(Math.floor((to.getTime() - from.getTime()) / 1_000));
  const left = seconds(now, endsAt);
  return { left: left > 0n ? left : 0n, length: seconds(startsAt, endsAt) };
}
