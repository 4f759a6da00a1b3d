const dayMs = 86_400_000;
/** Past the limit, players can still join for so long, or until twice the limit is used. */
export const trafficGraceMs = 5 * dayMs;

export interface TrafficMonth {
  /** Percent of the limit that the owner was told of. */
  readonly told: 0 | 80 | 100;
  readonly exceededAt: Date | null;
}

export interface TrafficState extends TrafficMonth {
  readonly isUsedUp: boolean;
}

/** In UTC, as `2031-02`. */
export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/**
 * The state of a month's traffic. A month without a limit, or below it again after a
 * change of the plan, has exceeded nothing.
 */
export function trafficState(
  { bytes, limitBytes }: { readonly bytes: number; readonly limitBytes: number | null },
  before: TrafficMonth,
  now: Date,
): TrafficState {
  if (limitBytes === null || bytes < limitBytes * 0.8) {
    return { told: 0, exceededAt: null, isUsedUp: false };
  }
  if (bytes < limitBytes) return { told: 80, exceededAt: null, isUsedUp: false };
  const exceededAt = before.exceededAt ?? now;
  const isLate = now.getTime() - exceededAt.getTime() >= trafficGraceMs;
  return { told: 100, exceededAt, isUsedUp: isLate || bytes >= limitBytes * 2 };
}
