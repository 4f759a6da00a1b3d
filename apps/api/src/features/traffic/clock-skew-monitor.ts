import type { Logger } from "pino";

/** How far the clock of an edge may be ahead: later times are ignored. */
const aheadMsMax = 300_000;
const repeatMs = 3_600_000;

/** Warns once an hour about each edge whose clock is too far ahead for its reports to count. */
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
