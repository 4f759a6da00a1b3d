import { randomInt } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { BackendResolver } from "./forwarding/backend-resolver.ts";
import { Dialler } from "./forwarding/dialler.ts";
import { FdBudget } from "./forwarding/fd-budget.ts";
import { Admission } from "./listeners/admission.ts";
import { JavaListener } from "./listeners/java-listener.ts";
import type { EdgeLimits } from "./listeners/limits.ts";
import type { CounterSource, FleetSink, ProbeSink, ShieldSink } from "./ports.ts";
import { ProbeNames } from "./probe/probe-names.ts";
import { ProbeService } from "./probe/probe-service.ts";
import { createDialPolicy } from "./routing/dial-policy.ts";
import { FleetAddresses } from "./routing/fleet.ts";
import type { SessionDeps } from "./session/session-deps.ts";
import { TimerWheel } from "./session/timer-wheel.ts";
import { ShieldRegistry } from "./shields/shield-registry.ts";
import { fetchStatus } from "./status/fetch-status.ts";
import { StatusService } from "./status/status-service.ts";
import { CounterBook } from "./telemetry/counter-book.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { OutcomeCounts } from "./telemetry/outcome-counts.ts";
import { SampledLog } from "./telemetry/sampled-log.ts";

export interface PacketPathOptions {
  readonly limits: EdgeLimits;
  readonly openFilesMax: number;
  /** Time of day, for counters. */
  readonly nowMs: () => number;
  /** For deadlines and ages; no clock that can be set. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** Where backends may be; see `DialPolicyFacts`. */
  readonly privateAllowed: boolean;
  readonly allowedRanges: readonly string[];
  readonly ownAddresses: readonly string[];
}

const statusSweepMs = 60_000;
/** No configuration keeps an answer longer. */
const statusAgeMaxMs = 86_400_000;

/** Everything between the accepted connection and the backend, put together. */
export function createPacketPath(options: PacketPathOptions) {
  const { nowMs, monotonicMs } = options;
  const wheel = new TimerWheel(monotonicMs);
  const counters = new CounterBook(nowMs());
  const outcomes = new OutcomeCounts();
  const fds = new FdBudget(options.openFilesMax);
  const resolver = new BackendResolver(monotonicMs);
  const shields = new ShieldRegistry({ counters, resolver });
  const ownPorts = new Set<number>();
  const fleet = new FleetAddresses();
  const policy = createDialPolicy({ ...options, fleet, ownPorts });
  const dialler = new Dialler({ resolver, policy, wheel, fds });
  const statuses = new StatusService({
    nowMs: monotonicMs,
    fetch: (question) => fetchStatus(question, dialler, wheel),
  });
  const probes = new ProbeService({
    dialler: new Dialler({ resolver: new ProbeNames(resolver), policy, wheel, fds }),
    wheel,
    monotonicMs,
  });
  const admission = new Admission(options.limits, fds);
  const log = new SampledLog(options.log);
  const deps: SessionDeps = {
    limits: options.limits,
    wheel,
    shields,
    statuses,
    dialler,
    admission,
    outcomes,
    log,
    bootSeed: randomInt(0x1_0000_0000),
    relays: new Set(),
  };
  const listener = new JavaListener(deps);
  const timers: NodeJS.Timeout[] = [];

  return {
    sink: shields satisfies ShieldSink,
    counters: counters satisfies CounterSource,
    probes: probes satisfies ProbeSink,
    fleet: fleet satisfies FleetSink,
    outcomes,
    wheel,
    admission,
    metrics: createMetrics({
      outcomes,
      probes: probes.counts,
      players: () => counters.players,
      pending: () => admission.pending,
      shields: () => shields.size,
      openFiles: () => fds.used,
      statusCacheBytes: () => statuses.cachedBytes,
    }),
    /** Begins to take players. @throws where the address cannot be had */
    async listen(host: string, port: number): Promise<AddressInfo> {
      const every = (ms: number, work: () => void): void => void timers.push(setInterval(work, ms));
      every(wheel.tickMs, () => wheel.advance());
      every(1_000, () => {
        counters.tick(nowMs());
        log.tick();
        resolver.refresh();
      });
      every(statusSweepMs, () => statuses.sweep(statusAgeMaxMs));
      const address = await listener.listen(host, port);
      ownPorts.add(address.port);
      return address;
    },
    /** Takes no more players and ends those who are there. */
    stop(): void {
      listener.stop();
      for (const relay of deps.relays) relay.destroy();
      probes.stop();
      for (const timer of timers) clearInterval(timer);
    },
  };
}
