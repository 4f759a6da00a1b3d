import type { BotCount } from "./bot-messages.ts";
import type { Latencies } from "./latencies.ts";
import type { FloodPlan } from "./plan.ts";
import type { PlayersMeasurement } from "./players-program.ts";
import type { JoinCounts } from "./real-clients.ts";

/** Tells the clients' process about the running edge. */
export interface ClientsOrder {
  readonly plan: FloodPlan;
  readonly ip4: string;
  readonly ip6: string;
  readonly port: number;
}

/** The current phase; floods are numbered from 0. */
export type Phase =
  | { readonly kind: "quiet" }
  /** Bots look at the server list. */
  | { readonly kind: "pings" }
  | { readonly kind: "flood"; readonly flood: number }
  | { readonly kind: "rest"; readonly flood: number };

export interface ClientsResult {
  readonly kind: "result";
  /** All floods together, like the joins. */
  readonly bots: BotCount;
  readonly joins: Omit<JoinCounts, "joinMs"> & { readonly latencies: Latencies };
  readonly quiet: PlayersMeasurement;
  /** One measurement for each flood. */
  readonly floods: readonly PlayersMeasurement[];
}

/** Joins before the flood that check whether joining works. */
export const warmUpJoins = 1;
