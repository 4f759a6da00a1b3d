import type { BotCount } from "./bots.ts";
import type { Latencies } from "./figures.ts";
import type { FloodPlan } from "./plan.ts";
import type { PlayersFigures } from "./players.ts";
import type { JoinFigures } from "./real-joins.ts";

/** What the world's process is told of an edge that runs. */
export interface WorldOrder {
  readonly plan: FloodPlan;
  readonly host: string;
  readonly port: number;
}

export interface WorldResult {
  readonly kind: "result";
  readonly bots: BotCount;
  readonly joins: Omit<JoinFigures, "joinMs"> & { readonly latencies: Latencies };
  readonly quiet: PlayersFigures;
  readonly flood: PlayersFigures;
}

/** Who has tried, before the flood, whether anybody can join. */
export const triers = 1;
