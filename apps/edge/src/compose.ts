import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Logger, pino } from "pino";
import type { EdgeConfig } from "./config.ts";
import { createControl } from "./control/control.ts";
import { AbuseGuard } from "./firewall/abuse-guard.ts";
import { edgeLimits } from "#src/admission/limits.ts";
import { ListeningSockets, noSocketHolder } from "#src/workers/listening-sockets.ts";
import { openFilesMax } from "#src/admission/open-files.ts";
import { createDataPlane } from "#src/workers/data-plane.ts";
import { allocateSharedState, createThreadClock } from "#src/workers/shared-state.ts";
import { holderFolder, SocketHolderProcess } from "./hot-restart/socket-holder-process.ts";
import { relayFolder } from "./relay/control-channel.ts";
import { type MetricsServer, startMetricsServer } from "@palisade/metrics/metrics-server";
import { AddressDatabases } from "@palisade/address-databases/address-databases";
import { loadVerifiedSecret, VerifiedPlayersFile } from "#src/challenge/verified-players-file.ts";
import { PlaceTableUpdater } from "./address-files/place-table-updater.ts";
import { EndingEntries } from "#src/shields/ending-entries.ts";
import { VpnListUpdater } from "./address-files/vpn-list-updater.ts";
import { vpnMetrics } from "./address-files/vpn-metrics.ts";

/** A first start without a copy on disk waits this long for the control plane before it listens. */
const firstSnapshotMs = 4_000;
/** Large lists take seconds to read; players wait for them no longer than this. */
const listsStartMs = 10_000;

export interface Edge {
  readonly log: Logger;
  /** Loads the configuration, then accepts players. */
  start(): Promise<{ readonly java: string; readonly metrics: string }>;
  stop(): Promise<void>;
  /** Whether a successor can take players beside this edge, so that the ports are never closed. */
  readonly canHaveSuccessor: boolean;
  /** Releases the parts that only one edge can have, but accepts players until `drain`. */
  becomePredecessor(): Promise<void>;
  /** Accepts no more players and leaves those who are there to the next edge on this machine. */
  drain(hasSuccessor: boolean): Promise<void>;
  /** The predecessor is gone: this edge has all parts and the players. */
  takeOver(): Promise<void>;
  /** Reads the operator's files again. */
  reload(): void;
}

export function composeEdge(config: EdgeConfig): Edge {
  const log = pino({ level: config.logLevel, base: { program: "edge" } });
  const folder = join(config.home, "edge");
  const secret = loadVerifiedSecret(folder, log);
  const shared = allocateSharedState({ workers: config.workers, verifiedSecret: secret });
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
  const places = new AddressDatabases({ paths: config.addressDatabases, log });
  const dataPlane = createDataPlane({
    places,
    shared,
    abuse: guard,
    limits: { ...edgeLimits, ...config.shieldShares },
    openFilesMax: openFilesMax(),
    nowMs,
    monotonicMs: createThreadClock(),
    log,
    privateAllowed: config.isDevelopment,
    allowedRanges: config.privateBackends,
    backendPorts: config.backendPorts,
    trustedProxies: config.trustedProxies,
    isSuccessor: config.isSuccessor,
    sockets: createSockets(config, log),
    ownAddresses: [...config.addresses, ...config.interfaceAddresses],
    sessionServerUrl: config.sessionServerUrl,
    bedrockLoginServiceUrl: config.bedrockLoginServiceUrl,
    relays: config.hasRelayProcesses
      ? { folder: relayFolder(config.home), lifeline: config.lifeline }
      : undefined,
  });
  const vpn = new VpnListUpdater({
    paths: config.vpnLists,
    lastGoodFolder: join(folder, "vpn"),
    onTable: (table) => dataPlane.vpn.use(table),
    nowMs: () => Date.now(),
    log,
  });
  const shields = new EndingEntries({ sink: guard.overhear(dataPlane.sink), nowMs });
  const placeTable = new PlaceTableUpdater({
    paths: config.addressDatabases,
    onTable: (table) => dataPlane.places.use(table),
    log,
  });
  const control = createControl({
    home: config.home,
    apiUrl: config.apiUrl,
    edgeToken: config.edgeToken,
    addresses: config.addresses,
    failpoints: config.failpoints,
    sink: shields,
    served: dataPlane.served,
    location: dataPlane.location,
    counters: dataPlane.counters,
    health: dataPlane.health,
    attacks: dataPlane.attacks,
    logins: dataPlane.logins,
    probes: dataPlane.probes,
    fleet: dataPlane.fleet,
    hasVpnLists: () => vpn.hasLists,
    places,
    isSuccessor: config.isSuccessor,
    log,
  });
  const verified = new VerifiedPlayersFile({
    folder,
    players: dataPlane.verified,
    nowMs: () => Date.now(),
    log,
  });
  for (const metric of vpnMetrics(() => vpn.lists())) dataPlane.metrics.registerMetric(metric);
  let otlp: { stop(): Promise<unknown> } | undefined;

  /** Its libraries are loaded only where they are used. */
  async function exportMetrics({ endpoint, withShields }: EdgeConfig["otlp"]): Promise<void> {
    if (endpoint === undefined) return;
    const { startOtlpExport } = await import("./telemetry/otlp-export.ts");
    const shields = withShields ? () => dataPlane.counters.live() : undefined;
    otlp = await startOtlpExport({ endpoint, registry: dataPlane.metrics, shields });
    log.info({ endpoint: new URL(endpoint).host, withShields }, "metrics are sent by OTLP");
  }

  let isListening = false;
  let metricsServer: MetricsServer | undefined;

  let released: Promise<unknown> | undefined;

  /** Runs once: from then on these parts belong to the next edge. */
  async function release(): Promise<void> {
    isListening = false;
    vpn.stop();
    places.stop();
    placeTable.stop();
    metricsServer?.close();
    released ??= Promise.all([control.unfollow(), guard.stop(), verified.stop(), otlp?.stop()]);
    await released;
  }

  return {
    log,
    async start() {
      dataPlane.prepare();
      const { found, shields: known } = await control.loadLastGood();
      log.info(
        { shields: known },
        found ? "last good configuration applied" : "no configuration on disk",
      );
      const players = await verified.start();
      if (players > 0) log.info({ players }, "verified players are known from before");
      const lists = vpn.start();
      void places.start();
      const placesRead = placeTable.start();
      control.start();
      shields.start();
      // Without a copy and without a credential there is nothing to serve, now or later.
      if (!found) await resolvedWithin(control.firstSnapshot, firstSnapshotMs);
      await resolvedWithin(Promise.all([lists, placesRead]), listsStartMs);
      await guard.start({
        drain: () => dataPlane.outcomes.bySource.drain(),
        ports: dataPlane.playerPorts,
      });
      // Steps that may fail come first: an edge that cannot start must not have accepted players.
      metricsServer = await startMetricsServer(dataPlane.metrics, {
        port: config.metricsPort,
        isReady: () => isListening,
      });
      const metrics = metricsServer.url;
      dataPlane.reservePort(Number(new URL(metrics).port));
      const { address, port } = await dataPlane.listen(config.java.host, config.java.port);
      isListening = true;
      await exportMetrics(config.otlp);
      const java = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
      log.info({ java, metrics }, "taking players");
      return { java, metrics };
    },
    async stop() {
      shields.stop();
      await dataPlane.stop();
      await Promise.all([control.stop(), release()]);
    },
    canHaveSuccessor: config.hasRelayProcesses,
    async becomePredecessor() {
      dataPlane.becomePredecessor();
      await release();
    },
    async drain(hasSuccessor) {
      shields.stop();
      await dataPlane.drain(hasSuccessor);
      await Promise.all([control.stop(), release()]);
    },
    async takeOver() {
      control.takeOver();
      await dataPlane.takeOver();
    },
    reload() {
      log.info("VPN lists are read anew");
      void vpn.reload();
      void places.look();
      void placeTable.look();
    },
  };
}

/** With relay processes, the listening sockets outlive this process as well. */
function createSockets(
  { home, lifeline, hasRelayProcesses, isSuccessor }: EdgeConfig,
  log: Logger,
): ListeningSockets {
  const holder = hasRelayProcesses
    ? new SocketHolderProcess({ folder: holderFolder(home), lifeline, log })
    : noSocketHolder;
  return new ListeningSockets(holder, isSuccessor);
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
