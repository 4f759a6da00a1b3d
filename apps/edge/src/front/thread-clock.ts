const readings = 32;

/**
 * Milliseconds that all threads of the process count alike. `performance.now` counts from the start
 * of its own thread, `process.hrtime` from the same moment everywhere but makes an array with each
 * reading: so the distance of both is taken once, from the reading least disturbed.
 */
export function createThreadClock(): () => number {
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
  return () => performance.now() + offsetMs;
}
