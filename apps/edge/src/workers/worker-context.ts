import { DatagramCounts } from "#src/telemetry/datagram-counts.ts";
import { FdBudget } from "@palisade/shared-tables/shared-counters";
import { BackendResolver } from "#src/resolver/backend-resolver.ts";
import {
  createDialPolicy,
  type DialPolicyInput,
  FleetAddresses,
} from "#src/routing/dial-policy.ts";
import type { Logger } from "#src/ports.ts";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { Admission } from "#src/admission/admission.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import { PlaceLookup, VpnLookup } from "#src/rules/address-lookups.ts";
import { CounterRegistry } from "#src/telemetry/counter-registry.ts";
import { AttackSamples } from "#src/telemetry/attack-samples.ts";
import { LoginLog, SampledLog } from "#src/telemetry/login-log.ts";
import { OutcomeCounts } from "#src/telemetry/outcomes.ts";
import type { SharedState } from "./shared-state.ts";

interface OutboundOptions extends Pick<
  DialPolicyInput,
  "privateAllowed" | "allowedRanges" | "ownAddresses" | "backendPorts"
> {
  /** For deadlines and ages; no clock that can be set. */
  readonly monotonicMs: () => number;
}

export interface WorkerContextOptions extends OutboundOptions {
  readonly limits: EdgeLimits;
  /** The process's own. */
  readonly openFilesMax: number;
  /** Time of day. */
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** The parts that every connection to a backend needs. */
function createOutbound(options: OutboundOptions, fds: FdBudget) {
  const { monotonicMs } = options;
  const ownPorts = new Set<number>();
  const ownUdpPorts = new Set<number>();
  const fleet = new FleetAddresses();
  return {
    wheel: new TimerWheel(monotonicMs),
    fds,
    resolver: new BackendResolver(monotonicMs),
    /** Ports of this edge, which no backend may be. */
    ownPorts,
    fleet,
    policy: createDialPolicy({ ...options, fleet, ownPorts }),
    /** The same for UDP. */
    ownUdpPorts,
    udpPolicy: createDialPolicy({ ...options, fleet, ownPorts: ownUdpPorts }),
    monotonicMs,
  };
}

export type Outbound = ReturnType<typeof createOutbound>;

/** The parts that each thread of an edge has of its own, on top of the shared state. */
export function createWorkerContext(options: WorkerContextOptions, shared: SharedState) {
  const { nowMs } = options;
  const fds = new FdBudget(options.openFilesMax, shared);
  const outbound = createOutbound(options, fds);
  const counters = new CounterRegistry(nowMs(), shared.loads);
  const outcomes = new OutcomeCounts();
  const logins = new LoginLog(nowMs, shared.quota);
  const log = new SampledLog(options.log, shared.quota);
  return {
    fds,
    outbound,
    admission: new Admission(options.limits, fds, shared),
    counters,
    outcomes,
    logins,
    attackSamples: new AttackSamples(),
    log,
    /** On Bedrock ports. */
    datagrams: new DatagramCounts(),
    vpn: new VpnLookup(),
    places: new PlaceLookup(),
    /** Once a second. */
    tick(): void {
      log.tick();
      outbound.resolver.refresh();
    },
  };
}

export type WorkerContext = ReturnType<typeof createWorkerContext>;
