import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { FdBudget } from "./forwarding/fd-budget.ts";
import { createCore } from "./front/core.ts";
import { createFront } from "./front/front.ts";
import { createOutbound } from "./front/outbound.ts";
import type { KernelDrops } from "./kernel/nft-table.ts";
import { Admission } from "./listeners/admission.ts";
import type { EdgeLimits } from "./listeners/limits.ts";
import { soleOpening } from "./listeners/port-opening.ts";
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
import { AttackBoard } from "./protection/attack-board.ts";
import { LoginMemory } from "./protection/login-memory.ts";
import { VerifiedPlayers } from "./protection/shared/verified-players.ts";
import { VpnLookup } from "./protection/vpn-lookup.ts";
import { KeptRelays } from "./relay/kept-relays.ts";
import { LocalRelays } from "./relay/local-relays.ts";
import { createPlayerRegister } from "./relay/player-register.ts";
import { RelayPool, type RelayPoolDeps } from "./relay/relay-pool.ts";
import { CounterBook } from "./telemetry/counter-book.ts";
import { LoginLog } from "./telemetry/login-log.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { OutcomeCounts } from "./telemetry/outcome-counts.ts";
import { SampledLog } from "./telemetry/sampled-log.ts";
import { verificationLimits } from "./verification/limits.ts";
import { playerMac } from "./verification/player-mac.ts";
import { LevelRelief } from "./verification/relief.ts";
import { UsedCookies } from "./verification/used-cookies.ts";
import { VerificationDesk } from "./verification/verification-desk.ts";

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
  /** Proxies in front of the edge, which name the player in a PROXY header. */
  readonly trustedProxies: readonly string[];
  /** Sources that may not connect at all for a while; see `BanTable`. */
  readonly isBanned?: (sourceKey: string) => boolean;
  /** What has been refused before it got here. */
  readonly abuse?: { readonly drops: KernelDrops; readonly size: number } | undefined;
  readonly verification?:
    | {
        /** By which verified players are known, the same over restarts. */
        readonly secret?: Buffer;
        /** Where accounts are asked for; without it none can be proven. */
        readonly sessionServerUrl?: string;
      }
    | undefined;
  /** Where relay processes are found, and what ends them; undefined: this process relays. */
  readonly relays?: Pick<RelayPoolDeps, "folder" | "lifeline"> | undefined;
}

/** Descriptors of a relay process that are no player's. */
const relayFilesReserve = 64;

/** Cookies live a minute: some hundred players a second can come back. */
const usedCookieSlots = 32_768;

const statusSweepMs = 60_000;

/** Everything between the accepted connection and the backend, in one thread. */
export function createPacketPath(options: PacketPathOptions) {
  const { nowMs, monotonicMs } = options;
  const counters = new CounterBook(nowMs());
  const outcomes = new OutcomeCounts();
  const logins = new LoginLog(nowMs);
  const log = new SampledLog(options.log);
  const fds = new FdBudget(options.openFilesMax);
  const admission = new Admission(options.limits, fds);
  const board = new AttackBoard(AttackBoard.allocate());
  const outbound = createOutbound(options, fds);
  const { wheel, ownPorts } = outbound;
  const core = createCore(options, outbound, board);
  const local = new LocalRelays(wheel);
  const register = createPlayerRegister({
    counters,
    shields: { find: (shieldId) => front.shields.find(shieldId) },
    admission,
    health: core.health,
  });
  const pool =
    options.relays &&
    new RelayPool({
      ...options.relays,
      fds,
      playersMax: Math.max(1, Math.floor((options.openFilesMax - relayFilesReserve) / 2)),
      meter: (shieldId) => register.meter(shieldId),
      otherwise: local,
      log: options.log,
    });
  const kept = options.relays && new KeptRelays({ ...options.relays, register, log: options.log });
  const { secret = randomBytes(32), sessionServerUrl = "" } = options.verification ?? {};
  const verified = new VerifiedPlayers(VerifiedPlayers.allocate(), playerMac(secret));
  const vpn = new VpnLookup();
  const desk = new VerificationDesk({
    limits: verificationLimits,
    verified,
    usedCookies: new UsedCookies(UsedCookies.allocate(usedCookieSlots)),
    sessionServerUrl,
    nowMs,
    monotonicMs,
  });
  const front = createFront(options, outbound, {
    counters,
    outcomes,
    logins,
    log,
    admission,
    news: core.news,
    checks: core.checks,
    relays: pool ?? local,
    opening: soleOpening,
    board,
    attacks: board,
    verification: desk,
    mitigation: {
      memory: new LoginMemory(LoginMemory.allocate(randomBytes(8))),
      verified,
      vpn,
      canAsk: (proof, protocol) => desk.canAsk(proof, protocol),
      attacks: board,
      relief: new LevelRelief(),
      nowMs,
      monotonicMs,
    },
  });
  const { ports, statuses } = front;
  const reserved = new Set<number>();
  const timers: NodeJS.Timeout[] = [];

  function stopTaking(): void {
    front.stop();
    core.stop();
    for (const timer of timers) clearInterval(timer);
  }

  return {
    sink: front.shields satisfies ShieldSink,
    location: front.shields satisfies LocationSink,
    counters: counters satisfies CounterSource,
    health: core.health satisfies HealthSource,
    attacks: core.attacks satisfies AttackSource,
    logins: logins satisfies LoginSource,
    verified,
    vpn,
    verification: desk,
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
      log,
      kernelDrops: () => options.abuse?.drops ?? { banned: 0, synLimited: 0 },
      bans: () => options.abuse?.size ?? 0,
      probes: core.probes.counts,
      players: () => counters.players,
      pending: () => admission.pending,
      shields: () => front.shields.size,
      openFiles: () => fds.used,
      groupPorts: () => ports.open,
      groupPortsMissing: () => ports.missing,
      groupPortFailures: () => ports.failures,
      backends: () => core.health.counts(),
      statusCacheBytes: () => statuses.cachedBytes,
    }),
    /** Begins to take players. @throws where the address cannot be had */
    async listen(host: string, port: number): Promise<AddressInfo> {
      const every = (ms: number, work: () => void): void => void timers.push(setInterval(work, ms));
      every(wheel.tickMs, () => wheel.advance());
      every(1_000, () => {
        counters.tick(nowMs());
        log.tick();
        logins.tick();
        outbound.resolver.refresh();
        core.tick();
      });
      every(statusSweepMs, () => statuses.sweep());
      if (sessionServerUrl !== "") {
        desk.prepare().catch((error: unknown) => {
          options.log.error({ err: error }, "without a key no account can be proven");
        });
      }
      await pool?.start();
      const address = await front.listen(host, port);
      // Not before the port is ours: players of an edge that is still there are its own.
      await kept?.adoptAll(pool?.pids ?? []);
      core.checks.start();
      return address;
    },
    /** A port of this machine's that no backend may be. */
    reservePort(port: number): void {
      ownPorts.add(port);
      reserved.add(port);
    },
    /** Ports that players come to. */
    playerPorts: (): number[] => [...ownPorts].filter((port) => !reserved.has(port)),
    /** Takes no more players and ends those who are there. */
    async stop(): Promise<void> {
      stopTaking();
      kept?.end();
      await (pool ?? local).stop();
    },
    /** Takes no more players and leaves those of relay processes to the next front. */
    async handOver(): Promise<void> {
      stopTaking();
      await pool?.leave();
      kept?.leave();
    },
    /** Relay processes of this front's own. */
    relayPids: () => pool?.pids ?? [],
  };
}
