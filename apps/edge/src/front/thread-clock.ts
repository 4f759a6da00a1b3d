const readings = 32;

/**
 * What to add to `performance.now`, which counts from the start of its own thread, for the time of
 * `process.hrtime`, which counts from the same moment everywhere but makes an array with each reading:
 * taken once, from the reading least disturbed.
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
