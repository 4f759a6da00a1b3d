import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { ConnectLimit, PlayerDialler } from "#src/dialling/player-dial.ts";
import { BackendProver } from "#src/health/backend-prover.ts";
import { Dialler } from "#src/dialling/dialler.ts";
import { Ingress } from "#src/admission/ingress.ts";
import type { EdgeLimits } from "#src/admission/limits.ts";
import { RawConnection } from "#src/connection/raw-connection.ts";
import { PortListeners } from "./port-listeners.ts";
import { LocalRelays } from "#src/relay/local-relays.ts";
import { shareRates, shieldMeter } from "#src/relay/player-register.ts";
import { noRelays, type RelayCounts } from "#src/relay/relay-counts.ts";
import { RelayPool, type RelayPoolDeps } from "#src/relay/relay-pool.ts";
import { rangesOf } from "#src/routing/dial-policy.ts";
import { beginJava } from "#src/connection/handshake.ts";
import type { ConnectionDeps } from "#src/connection/connection-deps.ts";
import { ShieldRegistry, type ShieldRegistryDeps } from "#src/shields/shield-registry.ts";
import {
  fetchStatus,
  type StatusFetchResult,
  type StatusRequest,
} from "#src/status/fetch-status.ts";
import { SharedFetches } from "#src/status/shared-fetches.ts";
import { StatusService } from "#src/status/status-service.ts";
import type { BackendEvents } from "./backend-events.ts";
import { TraceCodes } from "#src/telemetry/login-log.ts";
import { createLoginPolicy } from "./login-policy.ts";
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
  /**
   * The folder of relay processes, and the lifeline that ends them; undefined: this process relays.
   */
  readonly relays?: Pick<RelayPoolDeps, "folder" | "lifeline"> | undefined;
}

export interface PipelineLinks {
  /** Sources that may not connect at all for a while; see `BanTable`. */
  readonly isBanned: (sourceKey: string) => boolean;
  readonly backendEvents: BackendEvents;
  /** Opens the ports of shields; undefined where another thread does. */
  readonly groupPorts?: ShieldRegistryDeps["ports"];
  readonly checks: ShieldRegistryDeps["checks"];
  /** Called when attack rules have changed. */
  readonly attacks: ShieldRegistryDeps["attacks"];
  readonly onRelays?: RelayPoolDeps["onPids"];
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
  const { backendEvents, groupPorts, checks, attacks } = links;
  const connects = new ConnectLimit(shared.quota, limits.unansweredPerSecondMax);
  const dialler = new Dialler({ ...outbound, health: backendEvents });
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
    links.isBanned,
  );
  const listeners = new PortListeners({
    ingress,
    begin: (socket, sourceKey, connection) =>
      void beginJava(socket, sourceKey, connection, connectionDeps),
    beginUnparsed: (socket, sourceKey, connection, shield) =>
      void new RawConnection(socket, sourceKey, connection, shield, connectionDeps),
    takesTurns: groupPorts === undefined,
    ownPorts,
  });
  const ports: ShieldRegistryDeps["ports"] = {
    replace(shieldId, claims) {
      listeners.replace(shieldId, claims);
      groupPorts?.replace(shieldId, claims);
    },
  };
  const shields = new ShieldRegistry({ counters, resolver, ports, checks, statuses, attacks });
  const rateOf = shareRates({ shields, limits });
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
      ...(links.onRelays && { onPids: links.onRelays }),
      log: options.log,
    });
  const loginPolicy = createLoginPolicy(options, shared, context.vpn);
  const connectionDeps: ConnectionDeps = {
    ...loginPolicy,
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
    traceCodes: new TraceCodes(randomBytes(traceSeedBytes)),
    relays: pool ?? local,
  };

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
    verification: loginPolicy.verification,
    /** Process ids of the relays; undefined if this process relays. */
    relays: pool,
    /** Once a second. */
    tick(): void {
      listeners.tick();
      pool?.tick();
      local.tick();
    },
    relayCounts: (): RelayCounts => pool?.counts ?? { ...noRelays, byWorkers: local.size },
    /** Work that takes a moment, done before players are accepted. */
    async prepare(): Promise<void> {
      loginPolicy.prepare();
      await pool?.start();
    },
    /** Takes no more players and ends those who are there. */
    async stop(): Promise<void> {
      stopTaking();
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
      await pool?.leave();
    },
  };
}
