/** From here on owners are warned (decision 44). */
const warnPercent = 80;

export type TrafficLevel = "calm" | "high" | "full";

/** How a month's traffic stands; without a limit nothing can run out. */
export function trafficLevel(percent: number | null): TrafficLevel {
  if (percent === null || percent < warnPercent) return "calm";
  return percent < 100 ? "high" : "full";
}
