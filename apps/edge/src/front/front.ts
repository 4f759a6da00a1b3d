import { randomInt } from "node:crypto";
import { setImmediate as nextRound, setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { Dialler } from "#src/forwarding/dialler.ts";
import { GroupPorts } from "#src/listeners/group-ports.ts";
import { Ingress } from "#src/listeners/ingress.ts";
import { JavaListener } from "#src/listeners/java-listener.ts";
import type { EdgeLimits } from "#src/listeners/limits.ts";
import { RawSession } from "#src/listeners/raw-session.ts";
import type { PortOpening } from "#src/listeners/port-opening.ts";
import { LocalRelays } from "#src/relay/local-relays.ts";
import { shieldMeter } from "#src/relay/player-register.ts";
import { noRelays, type RelayFigures } from "#src/relay/relay-figures.ts";
import { RelayPool, type RelayPoolDeps } from "#src/relay/relay-pool.ts";
import { rangesOf } from "#src/routing/dial-policy.ts";
import type { SessionDeps } from "#src/session/session-deps.ts";
import { ShieldRegistry, type ShieldRegistryDeps } from "#src/shields/shield-registry.ts";
import {
  fetchStatus,
  type StatusFetchResult,
  type StatusRequest,
} from "#src/status/fetch-status.ts";
import { SharedFetches } from "#src/status/shared-fetches.ts";
import { StatusService } from "#src/status/status-service.ts";
import type { BackendNews } from "./backend-news.ts";
import { createJudgement } from "./judgement.ts";
import type { SharedState } from "./shared-state.ts";
import type { ThreadTools } from "./thread-tools.ts";

export interface FrontOptions {
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

export interface FrontLinks {
  /** Sources that may not connect at all for a while; see `BanTable`. */
  readonly isBanned: (sourceKey: string) => boolean;
  readonly news: BackendNews;
  readonly opening: PortOpening;
  readonly checks: ShieldRegistryDeps["checks"];
  /** Called when attack rules have changed. */
  readonly attacks: ShieldRegistryDeps["attacks"];
  readonly onRelays?: RelayPoolDeps["onPids"];
}

/** The address that players come to. */
export interface ListenPlace {
  readonly address: string;
  readonly port: number;
}

/**
 * When a front leaves, connections in the kernel's queues are accepted for this long: in a flood
 * they have no end. Some are accepted in any case, even if the machine has stood still for that
 * long.
 */
const acceptMs = 500;
const acceptRoundsMin = 256;
/** When a front leaves, connections being dialled get this long, and are checked this often. */
const finishMs = 3_000;
const finishLookMs = 20;
/** Descriptors of a relay process that are no player's. */
const relayFilesReserve = 64;

/** From the accepted connection to the relay, for one thread. */
export function createFront(
  options: FrontOptions,
  tools: ThreadTools,
  shared: SharedState,
  links: FrontLinks,
) {
  const { limits, monotonicMs } = options;
  const { outbound, counters, admission, outcomes } = tools;
  const { wheel, fds, ownPorts, resolver } = outbound;
  const { news, opening, checks, attacks } = links;
  const dialler = new Dialler({ ...outbound, health: news });
  async function ask(question: StatusRequest): Promise<StatusFetchResult> {
    const result = await fetchStatus(question, dialler, wheel);
    if (result.kind === "answer") news.succeeded(question.backend);
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
  const ports = new GroupPorts({
    ingress,
    wheel,
    log: options.log,
    fds,
    begin: (socket, sourceKey, connection, shield) =>
      void new RawSession(socket, sourceKey, connection, shield, sessions),
    ownPorts,
    opening,
  });
  const shields = new ShieldRegistry({ counters, resolver, ports, checks, statuses, attacks });
  const local = new LocalRelays(wheel);
  const pool =
    options.relays &&
    new RelayPool({
      ...options.relays,
      fds,
      playersMax: Math.max(1, Math.floor((options.openFilesMax - relayFilesReserve) / 2)),
      meter: (shieldId) => shieldMeter(shieldId, { counters, shields }),
      otherwise: local,
      ...(links.onRelays && { onPids: links.onRelays }),
      log: options.log,
    });
  const judgement = createJudgement(options, shared, tools.vpn);
  const sessions: SessionDeps = {
    ...judgement,
    limits,
    wheel,
    shields,
    statuses,
    dialler,
    health: news,
    admission,
    outcomes,
    log: tools.log,
    attacks: shared.board,
    logins: tools.logins,
    bootSeed: randomInt(0x1_0000_0000),
    relays: pool ?? local,
  };
  const listener = new JavaListener(sessions, ingress, opening);

  /** Accepts no more connections, and drops those that are no player's. */
  function stopTaking(): void {
    listener.stop();
    ports.stop();
  }

  /**
   * Each round takes at most one connection of a listener's queue: after two rounds without any the
   * queues are empty.
   */
  async function acceptWaiting(): Promise<void> {
    const deadlineMs = performance.now() + acceptMs;
    for (let rounds = 0, quiet = 0; quiet < 2; rounds++) {
      if (rounds >= acceptRoundsMin && performance.now() >= deadlineMs) return;
      const { accepted } = outcomes;
      await nextRound();
      quiet = outcomes.accepted === accepted ? quiet + 1 : 0;
    }
  }

  async function finish(): Promise<void> {
    await acceptWaiting();
    listener.close();
    ports.stop();
    const deadlineMs = performance.now() + finishMs;
    while (admission.pending > 0 && performance.now() < deadlineMs) await delay(finishLookMs);
  }

  return {
    shields,
    statuses,
    ports,
    verification: judgement.verification,
    /** Process ids of the relays; undefined if this process relays. */
    relays: pool,
    /** Once a second. */
    tick: (): void => pool?.tick(),
    relayFigures: (): RelayFigures => pool?.figures ?? { ...noRelays, byFront: local.size },
    /** Work that takes a moment, done before players are accepted. */
    async prepare(): Promise<void> {
      judgement.prepare();
      await pool?.start();
    },
    /** Takes players from now on. @throws if the address cannot be had */
    async listen(host: string, port: number): Promise<ListenPlace> {
      const { ip, port: own } = await listener.listen(host, port);
      ownPorts.add(own);
      ports.listen(ip);
      return { address: ip, port: own };
    },
    /** Takes no more players and ends those who are there. */
    async stop(): Promise<void> {
      stopTaking();
      await (pool ?? local).stop();
    },
    /**
     * Accepts no more players and leaves those of relay processes to the next front. If that one
     * listens already, connections on their way here are admitted or refused first.
     */
    async handOver(isFollowed: boolean): Promise<void> {
      if (isFollowed) await finish();
      stopTaking();
      await pool?.leave();
    },
  };
}
