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
  /** Got an answer, mostly a kick. */
  answered: number;
  /** Never got a connection in their lifetime. */
  unconnected: number;
  /** Were still connected at the end of their lifetime. */
  held: number;
  /** Not opened, because too many were open. */
  skipped: number;
  cpuMs: number;
  /** Time since the first login. */
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
