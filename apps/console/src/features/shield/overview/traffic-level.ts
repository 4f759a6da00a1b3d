/** Owners are warned from this share on. */
const warnPercent = 80;

export type TrafficLevel = "calm" | "high" | "full";

/** The level of a month's traffic; a plan without a limit is always calm. */
export function trafficLevel(percent: number | null): TrafficLevel {
  if (percent === null || percent < warnPercent) return "calm";
  return percent < 100 ? "high" : "full";
}
