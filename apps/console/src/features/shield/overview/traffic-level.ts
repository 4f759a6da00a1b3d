/** Owners are warned from this share on. */
const warnPercent = 80;

export type TrafficLevel = "calm" | "high" | "full" | "used_up";

/** The level of a month's traffic; a plan without a limit is always calm. */
export function trafficLevel(percent: number | null, isUsedUp: boolean): TrafficLevel {
  if (isUsedUp) return "used_up";
  if (percent === null || percent < warnPercent) return "calm";
  return percent < 100 ? "high" : "full";
}
