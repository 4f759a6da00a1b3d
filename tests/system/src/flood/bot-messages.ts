import type { FloodPlan } from "./plan.ts";

export interface BotOrder extends Pick<
  FloodPlan,
  "botsPerSecond" | "spread" | "sources" | "pings" | "kinds" | "seconds"
> {
  readonly ip4: string;
  readonly ip6: string;
  readonly port: number;
}

export interface BotCount {
  opened: number;
  connected: number;
  /** Were told something: a kick, mostly. */
  answered: number;
  /** Never got a connection within their life. */
  unconnected: number;
  /** Were still connected at the end of their life. */
  held: number;
  /** Not opened, since too many were open. */
  skipped: number;
  cpuMs: number;
  /** Since the first has logged in. */
  ms: number;
}

export const noBots: Readonly<BotCount> = {
  opened: 0,
  connected: 0,
  answered: 0,
  unconnected: 0,
  held: 0,
  skipped: 0,
  cpuMs: 0,
  ms: 0,
};

export function sumOf(counts: readonly BotCount[]): BotCount {
  const sum = { ...noBots };
  for (const count of counts) {
    for (const key of Object.keys(noBots) as (keyof BotCount)[]) sum[key] += count[key];
  }
  return sum;
}
