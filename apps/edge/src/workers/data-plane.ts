import type { ControlDeps } from "#src/ports.ts";
import type { createSingleThreadDataPlane } from "./single-thread-data-plane.ts";

type SingleThreadDataPlane = ReturnType<typeof createSingleThreadDataPlane>;

/** The packet path as the rest of the edge sees it, whether one thread has all of it or many have. */
export interface DataPlane
  extends
    Pick<
      ControlDeps,
      | "sink"
      | "served"
      | "location"
      | "counters"
      | "health"
      | "attacks"
      | "logins"
      | "probes"
      | "fleet"
    >,
    Pick<
      SingleThreadDataPlane,
      | "verified"
      | "outcomes"
      | "metrics"
      | "playerPorts"
      | "listen"
      | "reservePort"
      | "stop"
      | "becomePredecessor"
      | "drain"
      | "takeOver"
    > {
  readonly vpn: Pick<SingleThreadDataPlane["vpn"], "use">;
  /** Starts slow preparations, before the configuration comes. */
  readonly prepare?: () => void;
}
