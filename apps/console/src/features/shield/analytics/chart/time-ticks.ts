const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720];
const daySteps = [1, 2, 3, 5, 7, 14, 30, 60];

export interface TimeTicks {
  readonly times: readonly number[];
  /** Whether a tick is a day, so that its label needs no hour. */
  readonly areDays: boolean;
}

/** Round times of the reader's own zone, at most `countMax` of them. */
export function timeTicks(fromMs: number, toMs: number, countMax: number): TimeTicks {
  const span = Math.max(1, toMs - fromMs);
  const minutes = minuteSteps.find((step) => span / (step * minuteMs) <= countMax);
  if (minutes !== undefined) {
    const start = new Date(fromMs);
    const times: number[] = [];
    // The Date keeps hours round where daylight saving switches.
    for (let minute = 0; ; minute += minutes) {
      const time = new Date(start.getFullYear(), start.getMonth(), start.getDate(), 0, minute);
      if (time.getTime() > toMs) break;
      if (time.getTime() >= fromMs) times.push(time.getTime());
    }
    return { times: [...new Set(times)], areDays: false };
  }
  const days = daySteps.find((step) => span / (step * dayMs) <= countMax) ?? 365;
  const times: number[] = [];
  const start = new Date(fromMs);
  for (let day = 0; ; day += 1) {
    const time = new Date(start.getFullYear(), start.getMonth(), start.getDate() + day);
    if (time.getTime() > toMs) break;
    // Counted from a fixed day, so that ticks stay where they are while time goes on.
    const number = Math.round((time.getTime() - time.getTimezoneOffset() * minuteMs) / dayMs);
    if (time.getTime() >= fromMs && number % days === 0) times.push(time.getTime());
  }
  return { times, areDays: true };
}
