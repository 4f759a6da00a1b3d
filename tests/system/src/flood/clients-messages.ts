import type { BotCount } from "./bot-messages.ts";
import type { Latencies } from "./latencies.ts";
import type { FloodPlan } from "./plan.ts";
import type { PlayersMeasurement } from "./players-program.ts";
import type { JoinCounts } from "./real-clients.ts";

/** What the world's process is told of an edge that runs. */
export interface ClientsOrder {
  readonly plan: FloodPlan;
  readonly ip4: string;
  readonly ip6: string;
  readonly port: number;
}

/** What the world is doing now: floods have numbers from 0. */
export type Phase =
  | { readonly kind: "quiet" }
  /** Bots look at the server list. */
  | { readonly kind: "pings" }
  | { readonly kind: "flood"; readonly flood: number }
  | { readonly kind: "rest"; readonly flood: number };

export interface ClientsResult {
  readonly kind: "result";
  /** Of all floods together, as the joins are. */
  readonly bots: BotCount;
  readonly joins: Omit<JoinCounts, "joinMs"> & { readonly latencies: Latencies };
  readonly quiet: PlayersMeasurement;
  /** Of each flood. */
  readonly floods: readonly PlayersMeasurement[];
}

/** Who has tried, before the flood, whether anybody can join. */
export const warmUpJoins = 1;
