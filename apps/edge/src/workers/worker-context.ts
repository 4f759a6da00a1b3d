import type { Logger } from "pino";
import { FdBudget } from "#src/rules/shared/shared-counters.ts";
import { Admission } from "#src/admission/admission.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import { VpnLookup } from "#src/rules/vpn-lookup.ts";
import { CounterRegistry } from "#src/telemetry/counter-registry.ts";
import { LoginLog, SampledLog } from "#src/telemetry/login-log.ts";
import { OutcomeCounts } from "#src/telemetry/outcomes.ts";
import { createOutbound, type OutboundOptions } from "./outbound.ts";
import type { SharedState } from "./shared-state.ts";

export interface WorkerContextOptions extends OutboundOptions {
  readonly limits: EdgeLimits;
  /** The process's own. */
  readonly openFilesMax: number;
  /** Time of day. */
  readonly nowMs: () => number;
  readonly log: Logger;
}

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
    log,
    vpn: new VpnLookup(),
    /** Once a second. */
    tick(): void {
      log.tick();
      outbound.resolver.refresh();
    },
  };
}

export type WorkerContext = ReturnType<typeof createWorkerContext>;
