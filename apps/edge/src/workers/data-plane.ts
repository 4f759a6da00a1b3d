import type { KernelDrops } from "#src/firewall/nft-table.ts";
import type { PlaceTable, VpnTable } from "#src/rules/address-lookups.ts";
import { EdgePorts, type ListenPlace } from "./edge-ports.ts";
import { ListeningSockets } from "./listening-sockets.ts";
import type { HeldSession } from "#src/bedrock/session-record.ts";
import type { FleetSink, LocationSink, ShieldSink } from "#src/ports.ts";
import { AdoptedRelays, createPlayerRegister } from "#src/relay/adopted-relays.ts";
import { addRelayCounts, noRelays, type RelayCounts } from "#src/relay/relay-host.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { ShieldRegistry, backendsOf } from "#src/shields/shield-registry.ts";
import type { AttackSamplePart } from "#src/telemetry/attack-samples.ts";
import { MergedWorkers } from "#src/telemetry/worker-counts.ts";
import type { AddressDatabases } from "@palisade/address-databases/address-databases";
import { createMetrics, type ThreadStats } from "#src/telemetry/metrics.ts";
import type { Logger as PinoLogger } from "pino";
import { createMainThreadServices } from "./main-thread-services.ts";
import type { PipelineOptions } from "./connection-pipeline.ts";
import { HealthBroadcast, updateOf } from "./health-broadcast.ts";
import { openSharedState, type SharedStateBuffers } from "./shared-state.ts";
import {
  type BackendEvent,
  type FromWorker,
  type ProvenAddress,
  threadProtocol,
  type ToWorker,
  type WorkerLine,
} from "./thread-messages.ts";
import { createWorkerContext, type WorkerContextOptions } from "./worker-context.ts";
import { closeDescriptor, opened } from "@palisade/sockets/descriptors";
import { threadOfRecord } from "#src/bedrock/session-record.ts";
import { WorkerPool } from "./worker-pool.ts";
import { type StartThread, threadStarter } from "./worker-thread.ts";

export interface DataPlaneOptions extends WorkerContextOptions, PipelineOptions {
  /** Writes the lines of workers as well, with their numbers. */
  readonly log: PinoLogger;
  /** The edge's; without them the ports end with this process. */
  readonly sockets?: ListeningSockets;
  /** The predecessor takes players still; see `takeOver`. */
  readonly isSuccessor?: boolean;
  /** For this many workers, one at least. */
  readonly shared: SharedStateBuffers;
  /** Connections that were refused before they reached the workers. */
  readonly abuse?: { readonly drops: KernelDrops; readonly size: number } | undefined;
  /** Countries and networks of players, where the operator has databases of them. */
  readonly places?: AddressDatabases | undefined;
  /** How a worker gets its thread, replaced in tests. */
  readonly startThread?: StartThread | undefined;
}

/** Most health entries in one message. */
const updatesMax = 1_000;

/**
 * Everything between the accepted connection and the backend: worker threads accept players, and this
 * thread does what an edge does once. It is the same program for one worker and for sixteen.
 */
export function createDataPlane(options: DataPlaneOptions) {
  const { nowMs, log: logger, monotonicMs: _own, nowMs: _now, log: _log, ...rest } = options;
  const { sockets = new ListeningSockets(), isSuccessor = false, ...others } = rest;
  const {
    shared: buffers,
    abuse,
    places,
    startThread = threadStarter(buffers.workers),
    ...forWorkers
  } = others;
  const shared = openSharedState(buffers, "main", { nowMs });
  const context = createWorkerContext(options, shared);
  const { outbound, counters, outcomes, logins, admission, fds, log, datagrams } = context;
  const { wheel, ownPorts } = outbound;
  const healthBroadcast = new HealthBroadcast((updates) => pool.post({ kind: "health", updates }));
  const services = createMainThreadServices(
    {
      ...options,
      ownIp: () => ports.ownIp,
      attackRulesOf: (shieldId) => registry.find(shieldId)?.attack,
      onOutcome: (backend) => healthBroadcast.note(backend),
    },
    outbound,
    shared,
  );
  const registry: ShieldRegistry = new ShieldRegistry({
    counters,
    resolver: outbound.resolver,
    checks: services.checks,
    attacks: shared.attackDetector,
    ports: { replace: (shieldId, claims) => ports.groups.replace(shieldId, claims) },
    bedrockPorts: { replace: (shieldId, claims) => ports.bedrock.replace(shieldId, claims) },
    // Workers answer pings.
    statuses: { forget: () => undefined },
  });
  const register = createPlayerRegister({
    counters,
    shields: registry,
    limits: options.limits,
    admission,
    health: services.health,
  });
  const kept = options.relays && new AdoptedRelays({ ...options.relays, register, log: logger });
  const into = { counters, outcomes, logins, log, datagrams };
  const onAttackSamples = (samples: readonly AttackSamplePart[]) =>
    services.attacks.addSamples(samples);
  const merged = new MergedWorkers(into, { places, onAttackSamples });
  const facts = new Map<string, ToWorker>();
  const relays = new Map<number, RelayCounts>();
  const reserved = new Set<number>();
  /** Bedrock players that the next edge is to have. */
  const leaving: HeldSession[] = [];
  /** Counts of threads that have ended; their current values no longer count. */
  let before = noRelays;
  let everySecond: NodeJS.Timeout | undefined;

  const pool: WorkerPool = new WorkerPool({
    workers: buffers.workers,
    startThread,
    start: { protocol: threadProtocol, options: forWorkers, shared: buffers },
    onMessage: hear,
    onGone(worker, pids) {
      shared.forgetWorker(worker);
      merged.forget(worker);
      const { lost, failed } = relays.get(worker) ?? noRelays;
      before = addRelayCounts(before, { ...noRelays, lost, failed });
      relays.delete(worker);
      void kept?.adopt(pids);
    },
    async sessionsOf(worker, areLost) {
      if (areLost) sockets.forgetSessionsOf(worker);
      return sockets.takeSessionsOf(worker);
    },
    facts: function* () {
      yield* facts.values();
      const updates = [...services.health.tried()].map(updateOf);
      for (let at = 0; at < updates.length; at += updatesMax) {
        yield { kind: "health", updates: updates.slice(at, at + updatesMax) };
      }
    },
    log: logger,
  });

  const ports = new EdgePorts({
    sockets,
    watchers: pool,
    wheel,
    log: logger,
    fds,
    ownPorts,
    ownUdpPorts: outbound.ownUdpPorts,
  });

  function hear(worker: number, message: FromWorker): void {
    if (message.kind === "backends") for (const event of message.events) takeEvent(event);
    else if (message.kind === "log") write(worker, message.line);
    else if (message.kind === "counts") {
      merged.add(worker, message.counts);
      relays.set(worker, message.relays);
    } else if (message.kind === "sessions") {
      for (const { fd } of message.sessions) opened("thread", fd);
      leaving.push(...message.sessions);
    } else if (message.kind === "session-copy") {
      const { fd } = message.session;
      opened("thread", fd);
      sockets.copySession({ worker, id: message.id }, message.session);
      closeDescriptor(fd);
    } else if (message.kind === "session-gone") {
      sockets.forgetSession({ worker, id: message.id });
    }
  }

  function write(worker: number, { level, facts, text }: WorkerLine): void {
    // Errors come as the log writes them.
    const bindings = { worker };
    const lines = logger.child(bindings, { serializers: { err: (error: unknown) => error } });
    lines[level](facts, text);
  }

  function takeEvent([shieldId, backendId, event, facts]: BackendEvent): void {
    const backend = findBackend(registry.find(shieldId), backendId);
    if (backend === undefined) return;
    if (event === "proven") takeProof(backend, facts);
    else if (event === "bedrock") services.backendEvents.toldBedrock(backend, facts);
    else if (event === "succeeded") services.backendEvents.succeeded(backend);
    else if (event === "hung-up") services.backendEvents.hungUp(backend);
    else if (event === "players") services.backendEvents.playersChanged(backend);
    else services.backendEvents.failed(backend, event);
  }

  /** It may have another address by now. */
  function takeProof(backend: Backend, { host, port, address }: ProvenAddress): void {
    if (backend.host !== host || backend.port !== port) return;
    services.backendEvents.proven(backend, address);
  }

  /** All workers get it, and those that start later. */
  function tell(message: ToWorker, key: string = message.kind): void {
    facts.set(key, message);
    pool.post(message);
  }

  function stopTimers(): void {
    services.stop();
    wheel.stop();
    clearInterval(everySecond);
  }

  function threads(): ThreadStats {
    return {
      workers: pool.threads.filter(({ isListening }) => isListening).length,
      workersLost: pool.lost,
      relays: [...relays.values()].reduce(addRelayCounts, before),
      kept: kept?.players ?? 0,
      notUnderstood: kept?.notUnderstood ?? 0,
    };
  }

  /** Gives each session of an earlier edge to the thread that has its shield's ports. */
  async function adoptSessions(): Promise<void> {
    const found = await ports.listenForDatagrams();
    // Threads have the shields before their sessions.
    pool.flush();
    const byThread = Map.groupBy(found, ({ record }) => threadOfRecord(record, buffers.workers));
    for (const [index, sessions] of byThread) {
      const thread = pool.threads.find((each) => each.index === index);
      if (thread !== undefined) thread.adopt(sessions);
      else for (const { fd } of sessions) closeDescriptor(fd);
    }
  }

  const sink: ShieldSink = {
    apply(config) {
      const result = registry.apply(config);
      if (result.ok) pool.apply(config);
      return result;
    },
    remove(shieldId) {
      registry.remove(shieldId);
      pool.remove(shieldId);
    },
  };
  const location: LocationSink = {
    setLocation(name) {
      registry.setLocation(name);
      tell({ kind: "location", location: name });
    },
  };
  const fleet: FleetSink = {
    replace(addresses) {
      outbound.fleet.replace(addresses);
      tell({ kind: "fleet", addresses });
    },
  };
  return {
    sink,
    shields: registry,
    location,
    fleet,
    served: (): Promise<void> => pool.served(),
    counters,
    health: services.health,
    attacks: services.attacks,
    logins,
    probes: services.probes,
    checks: services.checks,
    verified: shared.verified,
    vpn: { use: (table: VpnTable) => tell({ kind: "vpn", table }) },
    places: { use: (table: PlaceTable) => tell({ kind: "places", table }) },
    outcomes,
    openFiles: () => fds.used,
    metrics: createMetrics({
      outcomes,
      totals: () => counters.totals,
      attacks: services.attacks,
      logins,
      log,
      kernelDrops: () => abuse?.drops ?? { banned: 0, synLimited: 0, failures: 0 },
      bans: () => abuse?.size ?? 0,
      probes: services.probes.counts,
      players: () => counters.players,
      pending: () => admission.pending,
      shields: () => registry.size,
      openFiles: () => fds.used,
      groupPorts: () => ports.groups.open,
      groupPortsMissing: () => ports.groups.missing,
      groupPortFailures: () => ports.groups.failures,
      bedrock: {
        ports: () => ports.bedrock.open,
        portsMissing: () => ports.bedrock.missing,
        sessions: () => merged.bedrockSessions,
        datagrams,
      },
      backends: () => services.health.counts(),
      statusCacheBytes: () => merged.statusCacheBytes,
      threads,
    }),
    /** Begins with the threads, which take a while to be there. */
    prepare(): void {
      pool.start();
    },
    async listen(host: string, port: number): Promise<ListenPlace> {
      wheel.run();
      everySecond = setInterval(() => {
        counters.tick(nowMs());
        context.tick();
        services.tick();
        kept?.tick();
        pool.tick();
      }, 1_000);
      // A port that cannot be opened is reported at once.
      const address = await ports.open(host, port);
      await pool.listen();
      // Players of an edge that is still there are its own.
      if (!isSuccessor) await adoptSessions();
      await ports.serve();
      if (!isSuccessor) await kept?.adoptAll(pool.pids);
      services.checks.start();
      return address;
    },
    /** The predecessor has left; its players are ours. */
    async takeOver(): Promise<void> {
      await adoptSessions();
      ports.takeOver();
      await kept?.adoptAll(pool.pids);
    },
    reservePort(port: number): void {
      ownPorts.add(port);
      reserved.add(port);
      tell({ kind: "own-port", port }, `own-port ${port}`);
    },
    playerPorts: (): number[] => [...ownPorts].filter((port) => !reserved.has(port)),
    async stop(): Promise<void> {
      stopTimers();
      kept?.end();
      ports.refuse();
      await pool.end({ kind: "stop" });
      await ports.stop();
    },
    becomePredecessor: (): void => ports.release(),
    async drain(hasSuccessor = false): Promise<void> {
      ports.refuse();
      await pool.end({ kind: "drain", hasSuccessor });
      await sockets.keepSessions(leaving);
      stopTimers();
      await kept?.leave();
      await ports.stop();
    },
    pool,
    threads,
  };
}

function findBackend(shield: CompiledShield | undefined, id: string): Backend | undefined {
  return backendsOf(shield?.groups ?? []).find((backend) => backend.id === id);
}
