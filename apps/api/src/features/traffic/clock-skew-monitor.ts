import type { Logger } from "pino";

/** What clocks of edges may be ahead: times beyond that are not believed. */
const aheadMsMax = 300_000;
const repeatMs = 3_600_000;

/** Says of each edge once an hour that its clock is too far ahead for what it tells to count. */
export function createClockSkewMonitor(
  log: Pick<Logger, "warn">,
  monotonicMs: () => number = () => performance.now(),
) {
  const told = new Map<string, number>();
  return {
    check(edgeId: string, aheadMs: number): void {
      if (aheadMs <= aheadMsMax) return;
      const before = told.get(edgeId);
      if (before !== undefined && monotonicMs() - before < repeatMs) return;
      told.set(edgeId, monotonicMs());
      const aheadSeconds = Math.round(aheadMs / 1_000);
      log.warn(
        { edge: edgeId, aheadSeconds },
        "An edge's clock is ahead: its counters, logins and attacks are left out",
      );
    },
  };
}
