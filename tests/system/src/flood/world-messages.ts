import type { BotCount } from "./bot-messages.ts";
import type { Latencies } from "./figures.ts";
import type { FloodPlan } from "./plan.ts";
import type { PlayersFigures } from "./players.ts";
import type { JoinFigures } from "./real-joins.ts";

/** What the world's process is told of an edge that runs. */
export interface WorldOrder {
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

export interface WorldResult {
  readonly kind: "result";
  /** Of all floods together, as the joins are. */
  readonly bots: BotCount;
  readonly joins: Omit<JoinFigures, "joinMs"> & { readonly latencies: Latencies };
  readonly quiet: PlayersFigures;
  /** Of each flood. */
  readonly floods: readonly PlayersFigures[];
}

/** Who has tried, before the flood, whether anybody can join. */
export const triers = 1;
