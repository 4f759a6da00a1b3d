import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { createCore } from "./front/core.ts";
import { createFront, type FrontOptions, type ListenPlace } from "./front/front.ts";
import {
  allocateSharedState,
  openSharedState,
  type SharedStateBuffers,
} from "./front/shared-state.ts";
import { createThreadTools, type ThreadOptions } from "./front/thread-tools.ts";
import type { KernelDrops } from "./firewall/nft-table.ts";
import { type PortOpening, soleOpening } from "./listeners/port-opening.ts";
import type {
  AttackSource,
  CounterSource,
  FleetSink,
  HealthSource,
  LocationSink,
  LoginSource,
  ProbeSink,
  ShieldSink,
} from "./ports.ts";
import { KeptRelays } from "./relay/kept-relays.ts";
import { createPlayerRegister } from "./relay/player-register.ts";
import { createMetrics } from "./telemetry/metrics.ts";

export interface PacketPathOptions
  extends ThreadOptions, Omit<FrontOptions, "sessionServerUrl" | "log"> {
  readonly log: Logger;
  /** The state of one thread; its own if no other part reads it. */
  readonly shared?: SharedStateBuffers;
  /** Opens ports so that the next front can open them beside this one. */
  readonly opening?: PortOpening;
  /** An earlier front of this edge takes players still; see `becomeAlone`. */
  readonly isBeside?: boolean;
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
export function createPacketPath(options: PacketPathOptions) {
  const { nowMs, log } = options;
  const { secret = randomBytes(32), sessionServerUrl = "" } = options.verification ?? {};
  const buffers = options.shared ?? allocateSharedState({ workers: 0, verifiedSecret: secret });
  const shared = openSharedState(buffers, "main", { nowMs });
  const tools = createThreadTools(options, shared);
  const { outbound, counters, outcomes, logins, admission } = tools;
  const { wheel, ownPorts } = outbound;
  const core = createCore(options, outbound, shared.board);
  const front = createFront({ ...options, sessionServerUrl }, tools, shared, {
    isBanned: (sourceKey) => shared.bans.has(sourceKey, nowMs()),
    news: core.news,
    checks: core.checks,
    attacks: shared.board,
    opening: options.opening ?? soleOpening,
  });
  const { shields, ports, statuses, relays } = front;
  const register = createPlayerRegister({ counters, shields, admission, health: core.health });
  const kept = options.relays && new KeptRelays({ ...options.relays, register, log });
  const reserved = new Set<number>();
  const timers: NodeJS.Timeout[] = [];

  function stopTimers(): void {
    core.stop();
    for (const timer of timers) clearInterval(timer);
  }

  return {
    sink: shields satisfies ShieldSink,
    location: shields satisfies LocationSink,
    counters: counters satisfies CounterSource,
    health: core.health satisfies HealthSource,
    attacks: core.attacks satisfies AttackSource,
    logins: logins satisfies LoginSource,
    verified: shared.verified,
    vpn: tools.vpn,
    verification: front.verification,
    probes: core.probes satisfies ProbeSink,
    fleet: outbound.fleet satisfies FleetSink,
    checks: core.checks,
    outcomes,
    wheel,
    admission,
    metrics: createMetrics({
      outcomes,
      totals: () => counters.totals,
      attacks: core.attacks,
      logins,
      log: tools.log,
      kernelDrops: () => options.abuse?.drops ?? { banned: 0, synLimited: 0, failures: 0 },
      bans: () => options.abuse?.size ?? 0,
      probes: core.probes.counts,
      players: () => counters.players,
      pending: () => admission.pending,
      shields: () => shields.size,
      openFiles: () => tools.fds.used,
      groupPorts: () => ports.open,
      groupPortsMissing: () => ports.missing,
      groupPortFailures: () => ports.failures,
      backends: () => core.health.counts(),
      statusCacheBytes: () => statuses.cachedBytes,
      threads: () => ({
        workers: 1,
        workersLost: 0,
        relays: front.relayFigures(),
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
        tools.tick();
        core.tick();
        front.tick();
        kept?.tick();
      });
      every(statusSweepMs, () => statuses.sweep());
      await front.prepare();
      const address = await front.listen(host, port);
      // Not before the port is ours alone: players of an edge that is still there are its own.
      if (options.isBeside !== true) await kept?.adoptAll(relays?.pids ?? []);
      core.checks.start();
      return address;
    },
    /** The earlier front has left; its players are ours. */
    async becomeAlone(): Promise<void> {
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
      await front.stop();
    },
    /** Takes no more players and leaves those of relay processes to the next front. */
    async handOver(isFollowed = false): Promise<void> {
      await front.handOver(isFollowed);
      stopTimers();
      kept?.leave();
    },
    /** Relay processes of this front's own. */
    relayPids: () => relays?.pids ?? [],
  };
}
