const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Pauses after each try that failed: ten tries in three days and some hours. */
export const retryPausesMs = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;

/** Each pause is so much longer or shorter, so that a receiver is not asked for everything at once. */
const jitter = 0.1;
const retryAfterMsMax = 24 * hourMs;

/**
 * When to try again after the given number of tries; null once there were enough.
 *
 * @param random from 0 to 1
 * @param retryAfter the header of the answer, in seconds
 */
export function nextTryAt(
  tries: number,
  now: Date,
  random: number,
  retryAfter: string | null = null,
): Date | null {
  const pause = retryPausesMs[tries - 1];
  if (pause === undefined) return null;
  const asked = /^\d{1,6}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1_000 : 0;
  const wanted = pause * (1 + jitter * (2 * random - 1));
  return new Date(now.getTime() + Math.max(wanted, Math.min(asked, retryAfterMsMax)));
}
