const readings = 32;

/**
 * The difference between `performance.now`, which starts with each thread, and `process.hrtime`,
 * which all threads share but which makes an array with each reading. It is measured once, from the
 * reading that was disturbed least.
 */
export function threadClockOffset(): { readonly offsetMs: number; readonly errorMs: number } {
  let offsetMs = 0;
  let narrowestMs = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < readings; reading++) {
    const beforeMs = performance.now();
    const [seconds, nanoseconds] = process.hrtime();
    const widthMs = performance.now() - beforeMs;
    if (widthMs >= narrowestMs) continue;
    narrowestMs = widthMs;
    offsetMs = seconds * 1_000 + nanoseconds / 1e6 - beforeMs - widthMs / 2;
  }
  return { offsetMs, errorMs: narrowestMs / 2 };
}

/** Milliseconds that all threads of the process count alike. */
export function createThreadClock(): () => number {
  const { offsetMs } = threadClockOffset();
  return () => performance.now() + offsetMs;
}
