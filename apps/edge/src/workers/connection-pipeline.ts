import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ConnectLimit, PlayerDialler } from "#src/dialling/player-dial.ts";
import type { Logger } from "#src/ports.ts";
import { BackendProver } from "#src/health/backend-prover.ts";
import type { BackendEvents } from "#src/health/health-registry.ts";
import { Dialler } from "#src/dialling/dialler.ts";
import { Ingress } from "#src/admission/ingress.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import { RawConnection } from "#src/connection/raw-connection.ts";
import { createBedrockListeners } from "#src/bedrock/bedrock-listeners.ts";
import type { SessionCopies } from "#src/bedrock/session-copies.ts";
import { threadOf } from "#src/bedrock/session-record.ts";
import type { HeldSession } from "#src/bedrock/session-record.ts";
import { PortListeners } from "./port-listeners.ts";
import { LocalRelays } from "#src/relay/local-relays.ts";
import { noRelays, type RelayCounts, shareRates, shieldMeter } from "#src/relay/relay-host.ts";
import { RelayPool, type RelayPoolDeps } from "#src/relay/relay-pool.ts";
import { rangesOf } from "#src/routing/dial-policy.ts";
import { LoginBandwidth } from "#src/connection/login-bandwidth.ts";
import { beginJava } from "#src/connection/handshake.ts";
import type { ConnectionDeps } from "#src/connection/connection-deps.ts";
import { ShieldRegistry } from "#src/shields/shield-registry.ts";
import {
  fetchStatus,
  type StatusFetchResult,
  type StatusRequest,
} from "#src/status/fetch-status.ts";
import { SharedFetches } from "#src/status/shared-fetches.ts";
import { StatusService } from "#src/status/status-service.ts";
import { TraceCodes } from "#src/telemetry/login-log.ts";
import { VerificationService } from "#src/challenge/verification-service.ts";
import { verificationLimits } from "#src/challenge/rules/limits.ts";
import type { SharedState } from "./shared-state.ts";
import type { WorkerContext } from "./worker-context.ts";

export interface PipelineOptions {
  readonly limits: EdgeLimits;
  readonly openFilesMax: number;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** Proxies in front of the edge, which name the player in a PROXY header. */
  readonly trustedProxies: readonly string[];
  /** The session server that confirms accounts; without it no account can be checked. */
  readonly sessionServerUrl: string;
  /** The service whose keys sign the logins of Bedrock; empty: its tokens cannot be checked. */
  readonly bedrockLoginServiceUrl: string;
  /**
   * The folder of relay processes, and the lifeline that ends them; undefined: the workers relay.
   */
  readonly relays?: Pick<RelayPoolDeps, "folder" | "lifeline"> | undefined;
}

export interface PipelineLinks {
  readonly backendEvents: BackendEvents;
  readonly onRelays: NonNullable<RelayPoolDeps["onPids"]>;
  /** Bedrock players of this worker for the next edge, with their descriptors. */
  readonly onSessions: (sessions: readonly HeldSession[]) => void;
  readonly copies: SessionCopies;
  /** This worker's number. */
  readonly index: number;
}

/** When a worker drains, connections under way get this long, and are checked this often. */
const drainMs = 3_000;
const drainLookMs = 20;
const traceSeedBytes = 8;
/** Descriptors of a relay process that are no player's. */
const relayFilesReserve = 64;
/** The part of a relay process's descriptors that may be those of pipes. */
const pipeFilesShare = 1 / 8;

/** Players of one relay process: two descriptors each, beside those of pipes for bulk. */
function playersOf(openFilesMax: number): number {
  const files = openFilesMax - relayFilesReserve;
  return Math.max(1, Math.floor((files * (1 - pipeFilesShare)) / 2));
}

/** If this process relays, its players take its descriptors: a shield leaves a quarter to others. */
function playersPerShieldRoom(isRelaying: boolean, softMax: number): number {
  return isRelaying ? Math.max(1, Math.floor((softMax * 0.75) / 2)) : Number.POSITIVE_INFINITY;
}

/** From the accepted connection to the relay, for one thread. */
export function createConnectionPipeline(
  options: PipelineOptions,
  context: WorkerContext,
  shared: SharedState,
  links: PipelineLinks,
) {
  const { limits, monotonicMs } = options;
  const { outbound, counters, admission, outcomes } = context;
  const { wheel, fds, ownPorts, resolver } = outbound;
  const { backendEvents, onRelays } = links;
  const isBanned = (sourceKey: string): boolean => shared.bans.has(sourceKey, options.nowMs());
  const connects = new ConnectLimit(shared.quota, limits.unansweredPerSecondMax);
  const dialler = new Dialler({
    ...outbound,
    health: backendEvents,
    mayAsk: (backend, address) => connects.allowsAddress("dial", backend, address),
  });
  const prover = new BackendProver({ dialler, wheel, monotonicMs, events: backendEvents });
  async function ask(question: StatusRequest): Promise<StatusFetchResult> {
    const { backend } = question;
    if (!connects.allows("dial", backend, "minecraft")) return { kind: "skipped" };
    const result = await fetchStatus(question, dialler, wheel);
    if (result.kind !== "answer") return result;
    if (result.address !== undefined) backendEvents.proven(backend, result.address);
    backendEvents.succeeded(backend);
    return result;
  }
  const fetches =
    shared.statusFetches &&
    new SharedFetches(shared.statusFetches, {
      fetch: ask,
      wheel,
      monotonicMs,
      onAnswer(answer) {
        const shield = shields.find(answer.shieldId);
        if (shield !== undefined) statuses.offer(shield, answer);
      },
    });
  const statuses = new StatusService({
    nowMs: monotonicMs,
    patienceMs: limits.statusMs,
    quota: shared.quota,
    fetch: (question) => fetches?.fetch(question) ?? ask(question),
  });
  const ingress = new Ingress(
    { admission, limits, outcomes, wheel },
    rangesOf(options.trustedProxies),
    isBanned,
  );
  const listeners = new PortListeners({
    ingress,
    begin: (socket, sourceKey, connection) =>
      void beginJava(socket, sourceKey, connection, connectionDeps),
    beginUnparsed: (socket, sourceKey, connection, shield) =>
      void new RawConnection(socket, sourceKey, connection, shield, connectionDeps),
    takesTurns: shared.shares > 1,
    ownPorts,
  });
  const shields = new ShieldRegistry({
    counters,
    resolver,
    ports: listeners,
    bedrockPorts: { replace: (shieldId, ports) => bedrock.replace(shieldId, ports) },
    statuses,
    // The main thread's, which has the same shields.
    checks: { replace: () => undefined, remove: () => undefined },
    attacks: { adopt: () => undefined },
  });
  const rateOf = shareRates({ shields }, limits);
  const local = new LocalRelays(wheel, rateOf);
  const pool =
    options.relays &&
    new RelayPool({
      ...options.relays,
      fds,
      playersMax: playersOf(options.openFilesMax),
      rateOf,
      meter: (shieldId) => shieldMeter(shieldId, { counters, shields }),
      otherwise: local,
      onPids: onRelays,
      log: options.log,
    });
  const verification = createVerification(options, shared);
  const connectionDeps: ConnectionDeps = {
    verification,
    mitigation: {
      memory: shared.loginMemory,
      history: shared.sourceHistory,
      verified: shared.verified,
      vpn: context.vpn,
      place: context.places.find,
      canAsk: (challenge, protocol) => verification.canAsk(challenge, protocol),
      attacks: shared.attackDetector,
      falsePositives: shared.falsePositives,
      nowMs: options.nowMs,
      monotonicMs,
    },
    limits,
    wheel,
    hosts: shields.hosts,
    statuses,
    dialler: new PlayerDialler({ ...outbound, health: backendEvents, connects, prover }),
    health: backendEvents,
    admission,
    outcomes,
    log: context.log,
    logins: context.logins,
    attackSamples: context.attackSamples,
    traceCodes: new TraceCodes(randomBytes(traceSeedBytes)),
    relays: pool ?? local,
    playersPerShieldRoom: playersPerShieldRoom(pool === undefined, fds.softMax),
    loginBandwidth: new LoginBandwidth(monotonicMs, limits.bytesPerSecondPerShield, shared.shares),
  };

  const { mitigation, log, logins, attackSamples, traceCodes } = connectionDeps;
  const bedrock = createBedrockListeners(
    { limits, wheel, admission, outcomes, mitigation, log, logins, attackSamples, traceCodes },
    {
      ...outbound,
      connects,
      nowMs: options.nowMs,
      isBanned,
      counts: context.datagrams,
      copies: links.copies,
      loginServiceUrl: options.bedrockLoginServiceUrl,
      onBackendHealth: (backend, health) => backendEvents.toldBedrock(backend, health),
    },
    (shieldId) => threadOf(shieldId, shared.shares) === links.index,
  );

  /** Accepts no more connections, and drops those that are no player's. */
  function stopTaking(): void {
    listeners.close();
    admission.stop();
  }

  async function decideAll(): Promise<void> {
    const deadlineMs = performance.now() + drainMs;
    while (admission.pending > 0 && performance.now() < deadlineMs) await delay(drainLookMs);
  }

  return {
    shields,
    statuses,
    /** Accepts on the sockets that it is given. */
    listeners,
    bedrock,
    verification,
    /** Once a second. */
    tick(): void {
      listeners.tick();
      bedrock.tick();
      pool?.tick();
      local.tick();
    },
    relayCounts: (): RelayCounts => pool?.counts ?? { ...noRelays, byWorkers: local.size },
    /** Work that takes a moment, done before players are accepted. */
    async prepare(): Promise<void> {
      if (options.sessionServerUrl !== "") {
        verification.prepare().catch((error: unknown) => {
          options.log.error({ err: error }, "without a key no account can be proven");
        });
      }
      await pool?.start();
    },
    /** Takes no more players and ends those who are there. */
    async stop(): Promise<void> {
      stopTaking();
      bedrock.close();
      await (pool ?? local).stop();
    },
    /**
     * Accepts no more players and leaves those of relay processes to the next edge. If there is a
     * successor, it accepts the connections that wait in the kernel, and those that this worker has
     * accepted are admitted or refused first.
     */
    async drain(hasSuccessor: boolean): Promise<void> {
      listeners.close();
      if (hasSuccessor) await decideAll();
      stopTaking();
      links.onSessions(bedrock.release());
      await pool?.leave();
    },
  };
}

function createVerification(options: PipelineOptions, shared: SharedState): VerificationService {
  const { sessionServerUrl, nowMs, monotonicMs } = options;
  return new VerificationService({
    limits: verificationLimits,
    verified: shared.verified,
    usedCookies: shared.usedCookies,
    captchas: shared.captchas,
    sessionServerUrl,
    shares: shared.shares,
    breaker: shared.sessionBreaker,
    nowMs,
    monotonicMs,
  });
}
