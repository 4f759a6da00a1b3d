import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { BackendResolver } from "./forwarding/backend-resolver.ts";
import { Dialler, type DiallerDeps } from "./forwarding/dialler.ts";
import { FdBudget } from "./forwarding/fd-budget.ts";
import { checkBackend } from "./health/check-backend.ts";
import { HealthBook } from "./health/health-book.ts";
import { HealthChecker } from "./health/health-checker.ts";
import { Admission } from "./listeners/admission.ts";
import { GroupPorts, type GroupPortsDeps } from "./listeners/group-ports.ts";
import { Ingress } from "./listeners/ingress.ts";
import { JavaListener } from "./listeners/java-listener.ts";
import type { EdgeLimits } from "./listeners/limits.ts";
import { RawSession } from "./listeners/raw-session.ts";
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
import { ProbeNames } from "./probe/probe-names.ts";
import { ProbeService } from "./probe/probe-service.ts";
import { LocalRelays } from "./relay/local-relays.ts";
import { createPlayerRegister } from "./relay/player-register.ts";
import type { KernelDrops } from "./kernel/nft-table.ts";
import type { RelayHost } from "./relay/relay-host.ts";
import { RelayPool, type RelayPoolDeps } from "./relay/relay-pool.ts";
import { AttackBoard } from "./protection/attack-board.ts";
import { LoginMemory } from "./protection/login-memory.ts";
import { VpnLookup } from "./protection/vpn-lookup.ts";
import { VerifiedPlayers } from "./protection/shared/verified-players.ts";
import { createDialPolicy, rangesOf } from "./routing/dial-policy.ts";
import { FleetAddresses } from "./routing/fleet.ts";
import type { SessionDeps } from "./session/session-deps.ts";
import { TimerWheel } from "./session/timer-wheel.ts";
import { ShieldRegistry } from "./shields/shield-registry.ts";
import { fetchStatus } from "./status/fetch-status.ts";
import { StatusService } from "./status/status-service.ts";
import { AttackBook } from "./telemetry/attack-book.ts";
import { CounterBook } from "./telemetry/counter-book.ts";
import { LoginLog } from "./telemetry/login-log.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { verificationLimits } from "./verification/limits.ts";
import { playerMac } from "./verification/player-mac.ts";
import { LevelRelief } from "./verification/relief.ts";
import { UsedCookies } from "./verification/used-cookies.ts";
import { VerificationDesk } from "./verification/verification-desk.ts";
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

/** Everything between the accepted connection and the backend, put together. */
export function createPacketPath(options: PacketPathOptions) {
  const { nowMs, monotonicMs } = options;
  const wheel = new TimerWheel(monotonicMs);
  const counters = new CounterBook(nowMs());
  const outcomes = new OutcomeCounts();
  const fds = new FdBudget(options.openFilesMax);
  const resolver = new BackendResolver(monotonicMs);
  const ownPorts = new Set<number>();
  const reserved = new Set<number>();
  const fleet = new FleetAddresses();
  const policy = createDialPolicy({ ...options, fleet, ownPorts });
  const health = new HealthBook({ nowMs, monotonicMs });
  const failures: DiallerDeps["health"] = {
    failed(backend, error) {
      health.failed(backend, error);
      checker.hurry(backend);
    },
  };
  const dialling = { policy, wheel, fds, health: failures, monotonicMs };
  const dialler = new Dialler({ ...dialling, resolver });
  const checker = new HealthChecker({
    book: health,
    wheel,
    monotonicMs,
    random: Math.random,
    check: (target, signal) => checkBackend(target, dialler, monotonicMs, signal),
  });
  const statuses = new StatusService({
    nowMs: monotonicMs,
    patienceMs: options.limits.statusMs,
    fetch: async (question) => {
      const result = await fetchStatus(question, dialler, wheel);
      if (result.kind === "answer") health.succeeded(question.backend);
      return result;
    },
  });
  const probes = new ProbeService({
    dialler: new Dialler({ ...dialling, resolver: new ProbeNames(resolver) }),
    wheel,
    monotonicMs,
  });
  const admission = new Admission(options.limits, fds);
  const log = new SampledLog(options.log);
  const board = new AttackBoard(AttackBoard.allocate());
  const attacks = new AttackBook({ ...options, board, newId: randomUUID });
  const logins = new LoginLog(nowMs);
  const begin: GroupPortsDeps["begin"] = (socket, sourceKey, connection, shield) =>
    void new RawSession(socket, sourceKey, connection, shield, deps);
  const ingress = new Ingress(
    { admission, limits: options.limits, outcomes, wheel },
    rangesOf(options.trustedProxies),
    options.isBanned,
  );
  const ports = new GroupPorts({ ingress, wheel, log: options.log, fds, begin, ownPorts });
  const shields = new ShieldRegistry({
    counters,
    resolver,
    ports,
    checks: checker,
    statuses,
    attacks: board,
  });
  const local = new LocalRelays(wheel);
  const pool =
    options.relays &&
    new RelayPool({
      ...options.relays,
      fds,
      playersMax: Math.max(1, Math.floor((options.openFilesMax - relayFilesReserve) / 2)),
      register: createPlayerRegister({ counters, shields, admission, health }),
      otherwise: local,
      log: options.log,
    });
  const relays: RelayHost = pool ?? local;
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
  const deps: SessionDeps = {
    limits: options.limits,
    wheel,
    shields,
    statuses,
    dialler,
    health,
    admission,
    outcomes,
    log,
    attacks: board,
    logins,
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
    bootSeed: randomInt(0x1_0000_0000),
    relays,
  };
  const listener = new JavaListener(deps, ingress);
  const timers: NodeJS.Timeout[] = [];

  function stopTaking(): void {
    listener.stop();
    ports.stop();
    checker.stop();
    probes.stop();
    for (const timer of timers) clearInterval(timer);
  }

  return {
    sink: shields satisfies ShieldSink,
    location: shields satisfies LocationSink,
    counters: counters satisfies CounterSource,
    health: health satisfies HealthSource,
    attacks: attacks satisfies AttackSource,
    logins: logins satisfies LoginSource,
    verified,
    vpn,
    verification: desk,
    probes: probes satisfies ProbeSink,
    fleet: fleet satisfies FleetSink,
    checks: checker,
    outcomes,
    wheel,
    admission,
    metrics: createMetrics({
      outcomes,
      totals: () => counters.totals,
      attacks,
      logins,
      log,
      kernelDrops: () => options.abuse?.drops ?? { banned: 0, synLimited: 0 },
      bans: () => options.abuse?.size ?? 0,
      probes: probes.counts,
      players: () => counters.players,
      pending: () => admission.pending,
      shields: () => shields.size,
      openFiles: () => fds.used,
      groupPorts: () => ports.open,
      groupPortsMissing: () => ports.missing,
      groupPortFailures: () => ports.failures,
      backends: () => health.counts(),
      statusCacheBytes: () => statuses.cachedBytes,
    }),
    /** Begins to take players. @throws where the address cannot be had */
    async listen(host: string, port: number): Promise<AddressInfo> {
      const every = (ms: number, work: () => void): void => void timers.push(setInterval(work, ms));
      every(wheel.tickMs, () => wheel.advance());
      every(1_000, () => {
        counters.tick(nowMs());
        log.tick();
        attacks.tick();
        logins.tick();
        resolver.refresh();
        checker.tick();
      });
      every(statusSweepMs, () => statuses.sweep());
      if (sessionServerUrl !== "") {
        desk.prepare().catch((error: unknown) => {
          options.log.error({ err: error }, "without a key no account can be proven");
        });
      }
      await pool?.start();
      const address = await listener.listen(host, port);
      // Not before the port is ours: players of an edge that is still there are its own.
      await pool?.adopt();
      ownPorts.add(address.port);
      ports.listen(host);
      checker.start();
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
    stop(): void {
      stopTaking();
      relays.stop();
    },
    /** Takes no more players and leaves those of relay processes to the next front. */
    async handOver(): Promise<void> {
      stopTaking();
      await pool?.leave();
    },
    /** Relay processes of this front's own. */
    relayPids: () => pool?.pids ?? [],
  };
}
