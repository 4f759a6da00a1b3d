import { BackendResolver } from "#src/resolver/backend-resolver.ts";
import type { FdBudget } from "#src/rules/shared/shared-counters.ts";
import {
  createDialPolicy,
  type DialPolicyInput,
  FleetAddresses,
} from "#src/routing/dial-policy.ts";
import { TimerWheel } from "#src/reactor/timer-wheel.ts";

export interface OutboundOptions extends Pick<
  DialPolicyInput,
  "privateAllowed" | "allowedRanges" | "ownAddresses" | "backendPorts"
> {
  /** For deadlines and ages; no clock that can be set. */
  readonly monotonicMs: () => number;
}

/** The parts that every connection to a backend needs. */
export function createOutbound(options: OutboundOptions, fds: FdBudget) {
  const { monotonicMs } = options;
  const ownPorts = new Set<number>();
  const fleet = new FleetAddresses();
  return {
    wheel: new TimerWheel(monotonicMs),
    fds,
    resolver: new BackendResolver(monotonicMs),
    /** Ports of this edge, which no backend may be. */
    ownPorts,
    fleet,
    policy: createDialPolicy({ ...options, fleet, ownPorts }),
    monotonicMs,
  };
}

export type Outbound = ReturnType<typeof createOutbound>;
