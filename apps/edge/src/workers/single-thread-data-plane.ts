import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createMainThreadServices } from "./main-thread-services.ts";
import { createConnectionPipeline, type PipelineOptions } from "./connection-pipeline.ts";
import { allocateSharedState, openSharedState, type SharedStateBuffers } from "./shared-state.ts";
import { createWorkerContext, type WorkerContextOptions } from "./worker-context.ts";
import type { KernelDrops } from "#src/firewall/nft-table.ts";
import { EdgePorts, type ListenPlace } from "./edge-ports.ts";
import { ListeningSockets } from "./listening-sockets.ts";
import type {
  AttackSource,
  CounterSource,
  FleetSink,
  HealthSource,
  LocationSink,
  LoginSource,
  ProbeSink,
  ShieldSink,
} from "#src/ports.ts";
import { AdoptedRelays } from "#src/relay/adopted-relays.ts";
import { createPlayerRegister } from "#src/relay/player-register.ts";
import { createMetrics } from "#src/telemetry/metrics.ts";

export interface SingleThreadDataPlaneOptions
  extends WorkerContextOptions, Omit<PipelineOptions, "sessionServerUrl" | "log"> {
  readonly log: Logger;
  /** The state of one thread; its own if no other part reads it. */
  readonly shared?: SharedStateBuffers;
  /** The edge's; without them the ports end with this process. */
  readonly sockets?: ListeningSockets;
  /** The predecessor takes players still; see `takeOver`. */
  readonly isSuccessor?: boolean;
  /** Connections that were refused before they reached the packet path. */
  readonly abuse?: { readonly drops: KernelDrops; readonly size: number } | undefined;
  readonly verification?:
    | {
        /** Secret of the table of verified players, the same over restarts. */
        readonly secret?: Buffer;
        /** The session server that confirms accounts; without it no account can be checked. */
        readonly sessionServerUrl?: string;
      }
    | undefined;
}

const statusSweepMs = 60_000;

/** Everything between the accepted connection and the backend, in one thread. */
export function createSingleThreadDataPlane(options: SingleThreadDataPlaneOptions) {
  const { nowMs, log } = options;
  const { secret = randomBytes(32), sessionServerUrl = "" } = options.verification ?? {};
  const buffers = options.shared ?? allocateSharedState({ workers: 0, verifiedSecret: secret });
  const shared = openSharedState(buffers, "main", { nowMs });
  const context = createWorkerContext(options, shared);
  const { outbound, counters, outcomes, logins, admission } = context;
  const { wheel, ownPorts } = outbound;
  const services = createMainThreadServices(options, outbound, shared);
  const ports = new EdgePorts({
    sockets: options.sockets ?? new ListeningSockets(),
    watchers: {
      watch: (socket) => pipeline.listeners.watch(socket),
      unwatch: (fd) => Promise.resolve(pipeline.listeners.unwatch(fd)),
    },
    wheel,
    log,
    fds: context.fds,
    ownPorts,
  });
  const pipeline = createConnectionPipeline({ ...options, sessionServerUrl }, context, shared, {
    isBanned: (sourceKey) => shared.bans.has(sourceKey, nowMs()),
    backendEvents: services.backendEvents,
    checks: services.checks,
    attacks: shared.attackDetector,
    groupPorts: ports.groups,
  });
  const { shields, statuses, relays } = pipeline;
  const register = createPlayerRegister({
    counters,
    shields,
    limits: options.limits,
    admission,
    health: services.health,
  });
  const kept = options.relays && new AdoptedRelays({ ...options.relays, register, log });
  const reserved = new Set<number>();
  const timers: NodeJS.Timeout[] = [];

  function stopTimers(): void {
    services.stop();
    for (const timer of timers) clearInterval(timer);
  }

  return {
    sink: shields satisfies ShieldSink,
    location: shields satisfies LocationSink,
    counters: counters satisfies CounterSource,
    health: services.health satisfies HealthSource,
    attacks: services.attacks satisfies AttackSource,
    logins: logins satisfies LoginSource,
    verified: shared.verified,
    vpn: context.vpn,
    verification: pipeline.verification,
    probes: services.probes satisfies ProbeSink,
    fleet: outbound.fleet satisfies FleetSink,
    checks: services.checks,
    outcomes,
    wheel,
    admission,
    metrics: createMetrics({
      outcomes,
      totals: () => counters.totals,
      attacks: services.attacks,
      logins,
      log: context.log,
      kernelDrops: () => options.abuse?.drops ?? { banned: 0, synLimited: 0, failures: 0 },
      bans: () => options.abuse?.size ?? 0,
      probes: services.probes.counts,
      players: () => counters.players,
      pending: () => admission.pending,
      shields: () => shields.size,
      openFiles: () => context.fds.used,
      groupPorts: () => ports.groups.open,
      groupPortsMissing: () => ports.groups.missing,
      groupPortFailures: () => ports.groups.failures,
      backends: () => services.health.counts(),
      statusCacheBytes: () => statuses.cachedBytes,
      threads: () => ({
        workers: 1,
        workersLost: 0,
        relays: pipeline.relayCounts(),
        kept: kept?.players ?? 0,
        notUnderstood: kept?.notUnderstood ?? 0,
      }),
    }),
    /** Begins to take players. @throws if the address cannot be had */
    async listen(host: string, port: number): Promise<ListenPlace> {
      const every = (ms: number, work: () => void): void => void timers.push(setInterval(work, ms));
      every(wheel.tickMs, () => wheel.advance());
      every(1_000, () => {
        counters.tick(nowMs());
        context.tick();
        services.tick();
        pipeline.tick();
        kept?.tick();
      });
      every(statusSweepMs, () => statuses.sweep());
      await pipeline.prepare();
      const address = await ports.open(host, port);
      await ports.serve();
      // Players of an edge that is still there are its own.
      if (options.isSuccessor !== true) await kept?.adoptAll(relays?.pids ?? []);
      services.checks.start();
      return address;
    },
    /** The predecessor has left; its players are ours. */
    async takeOver(): Promise<void> {
      ports.takeOver();
      await kept?.adoptAll(relays?.pids ?? []);
    },
    /** Reserves a port of this machine's that no backend may use. */
    reservePort(port: number): void {
      ownPorts.add(port);
      reserved.add(port);
    },
    /** Ports that players come to. */
    playerPorts: (): number[] => [...ownPorts].filter((port) => !reserved.has(port)),
    /** Takes no more players and ends those who are there. */
    async stop(): Promise<void> {
      stopTimers();
      kept?.end();
      ports.refuse();
      await pipeline.stop();
      await ports.stop();
    },
    /** A successor will follow, and opens and closes the ports from now on. */
    becomePredecessor: (): void => ports.release(),
    /** Takes no more players and leaves those of relay processes to the next edge. */
    async drain(hasSuccessor = false): Promise<void> {
      ports.refuse();
      await pipeline.drain(hasSuccessor);
      stopTimers();
      kept?.leave();
      await ports.stop();
    },
    /** Relay processes of this worker's own. */
    relayPids: () => relays?.pids ?? [],
  };
}
