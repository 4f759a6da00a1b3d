import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Logger, pino } from "pino";
import type { EdgeConfig } from "./config.ts";
import { createControl } from "./control/control.ts";
import { AbuseGuard } from "./firewall/abuse-guard.ts";
import { edgeLimits } from "./listeners/limits.ts";
import { openFilesMax } from "./listeners/open-files.ts";
import type { EdgePath } from "./front/edge-path.ts";
import { createLocalOpening } from "./front/local-opening.ts";
import { PortClaims } from "./front/port-claims.ts";
import { allocateSharedState } from "./front/shared-state.ts";
import { createThreadClock } from "./front/thread-clock.ts";
import { createThreadedPath } from "./front/threaded-path.ts";
import { giveWay } from "./front/give-way.ts";
import { createPacketPath } from "./packet-path.ts";
import { relayFolder } from "./relay/relay-socket.ts";
import { MetricsServer } from "./telemetry/metrics-server.ts";
import { loadVerifiedSecret, VerifiedPlayersFile } from "./verification/verified-players-file.ts";
import { VpnListUpdater } from "./vpn/vpn-list-updater.ts";
import { vpnMetrics } from "./vpn/vpn-metrics.ts";

/** A first start without a copy on disk waits this long for the control plane before it listens. */
const firstSnapshotMs = 4_000;
/** Large lists take seconds to read; players wait for them no longer than this. */
const vpnStartMs = 10_000;

/** Systems on which `reusePort` spreads connections. */
const canSharePort = process.platform === "linux";

export interface Edge {
  readonly log: Logger;
  /** Loads the configuration, then accepts players. */
  start(): Promise<{ readonly java: string; readonly metrics: string }>;
  stop(): Promise<void>;
  /** Stops, but leaves players to the next edge on this machine. */
  handOver(): Promise<void>;
  /** Whether the next edge can take players beside this one, so that the port is never closed. */
  readonly canBeFollowed: boolean;
  /**
   * Hands over to the next edge the parts that only one can have, but accepts players until
   * `leave`.
   */
  stepBack(): Promise<void>;
  /** The next edge accepts players: stops and leaves it the connected ones. */
  leave(): Promise<void>;
  /** The edge that this one follows has left. */
  becomeAlone(): Promise<void>;
  /** Reads the operator's files again. */
  reload(): void;
}

export function composeEdge(config: EdgeConfig): Edge {
  const log = pino({ level: config.logLevel, base: { program: "edge" } });
  const folder = join(config.home, "edge");
  const secret = loadVerifiedSecret(folder, log);
  const workers = threadsOf(config, log);
  const shared = allocateSharedState({ workers, verifiedSecret: secret });
  const nowMs = (): number => Date.now();
  const guard = new AbuseGuard({
    bans: shared.bans,
    mode: config.kernel,
    home: config.home,
    host: config.java.host,
    trustedProxies: config.trustedProxies,
    nowMs,
    log,
  });
  const { sessionServerUrl } = config;
  const options = {
    shared,
    abuse: guard,
    limits: edgeLimits,
    openFilesMax: openFilesMax(),
    nowMs,
    monotonicMs: createThreadClock(),
    log,
    privateAllowed: config.isDevelopment,
    allowedRanges: config.privateBackends,
    trustedProxies: config.trustedProxies,
    isBeside: config.isBeside,
    ownAddresses: [...config.addresses, ...config.interfaceAddresses],
    relays:
      config.workers === 0
        ? undefined
        : { folder: relayFolder(config.home), lifeline: config.lifeline },
  };
  const claims = new PortClaims(config.isBeside);
  const path: EdgePath =
    workers === 0
      ? createPacketPath({
          ...options,
          verification: { secret, sessionServerUrl },
          ...(canSharePort && { opening: createLocalOpening(claims) }),
        })
      : createThreadedPath({ ...options, sessionServerUrl, logLevel: config.logLevel });
  const vpn = new VpnListUpdater({
    paths: config.vpnLists,
    lastGoodFolder: join(folder, "vpn"),
    onTable: (table) => path.vpn.use(table),
    nowMs: () => Date.now(),
    log,
  });
  const control = createControl({
    home: config.home,
    apiUrl: config.apiUrl,
    edgeToken: config.edgeToken,
    addresses: config.addresses,
    failpoints: config.failpoints,
    sink: guard.overhear(path.sink),
    ...(path.served && { served: path.served }),
    location: path.location,
    counters: path.counters,
    health: path.health,
    attacks: path.attacks,
    logins: path.logins,
    probes: path.probes,
    fleet: path.fleet,
    hasVpnLists: () => vpn.hasLists,
    isBeside: config.isBeside,
    log,
  });
  const verified = new VerifiedPlayersFile({
    folder,
    players: path.verified,
    nowMs: () => Date.now(),
    log,
  });
  for (const metric of vpnMetrics(() => vpn.lists())) path.metrics.registerMetric(metric);
  let isListening = false;
  const metricsServer = new MetricsServer({ registry: path.metrics, isReady: () => isListening });

  let steppedBack: Promise<unknown> | undefined;

  /** Runs once: from then on these parts belong to the next edge. */
  async function stepBack(): Promise<void> {
    isListening = false;
    vpn.stop();
    metricsServer.stop();
    steppedBack ??= Promise.all([control.unfollow(), guard.stop(), verified.stop()]);
    await steppedBack;
  }

  async function stopRest(): Promise<void> {
    await Promise.all([control.stop(), stepBack()]);
  }

  return {
    log,
    async start() {
      path.prepare?.();
      const { found, shields } = await control.loadLastGood();
      log.info({ shields }, found ? "last good configuration applied" : "no configuration on disk");
      const players = await verified.start();
      if (players > 0) log.info({ players }, "verified players are known from before");
      const lists = vpn.start();
      control.start();
      // Without a copy and without a credential there is nothing to serve, now or later.
      if (!found) await resolvedWithin(control.firstSnapshot, firstSnapshotMs);
      await resolvedWithin(lists, vpnStartMs);
      await guard.start({
        drain: () => path.outcomes.bySource.drain(),
        ports: path.playerPorts,
      });
      // Steps that may fail come first: an edge that cannot start must not have accepted players.
      const metrics = await metricsServer.listen(config.metricsPort);
      path.reservePort(Number(new URL(metrics).port));
      const { address, port } = await path.listen(config.java.host, config.java.port);
      isListening = true;
      // Workers run at a lower priority than relays, so that a flood takes no time from players;
      // worker threads do this themselves.
      if (config.workers > 0 && workers === 0) giveWay();
      const java = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
      log.info({ java, metrics }, "taking players");
      return { java, metrics };
    },
    async stop() {
      await path.stop();
      await stopRest();
    },
    async handOver() {
      await path.handOver();
      await stopRest();
    },
    canBeFollowed: canSharePort && config.workers > 0,
    stepBack,
    async leave() {
      await path.handOver(true);
      await control.stop();
    },
    async becomeAlone() {
      claims.becomeAlone();
      control.becomeAlone();
      await path.becomeAlone();
    },
    reload() {
      log.info("VPN lists are read anew");
      void vpn.reload();
    },
  };
}

/** How many threads take players beside this one. */
function threadsOf({ workers }: EdgeConfig, log: Logger): number {
  if (workers < 2 || canSharePort) return workers < 2 ? 0 : workers;
  log.warn("this system does not spread a port over threads: one takes all players");
  return 0;
}

/**
 * Waits for the promise, but not for longer than this.
 *
 * @throws what the promise rejects with in that time
 */
async function resolvedWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const giveUp = new AbortController();
  try {
    await Promise.race([
      promise,
      delay(ms, undefined, { signal: giveUp.signal }).catch(() => undefined),
    ]);
  } finally {
    giveUp.abort();
  }
}
