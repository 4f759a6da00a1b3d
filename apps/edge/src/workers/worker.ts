import { backendsOf } from "#src/shields/shield-registry.ts";
import { SessionCopies } from "#src/bedrock/session-copies.ts";
import { WorkerReport } from "#src/telemetry/worker-counts.ts";
import { createBackendReporter } from "./backend-reporter.ts";
import { createConnectionPipeline } from "./connection-pipeline.ts";
import type { WatchedSocket } from "#src/admission/watched-socket.ts";
import { openSharedState } from "./shared-state.ts";
import type { FromWorker, ShieldChange, ToWorker, WorkerStart } from "./thread-messages.ts";
import { createWorkerContext } from "./worker-context.ts";
import { createWorkerLog } from "./worker-log.ts";

export interface WorkerLinks {
  /** Time of day. */
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** To the main thread. */
  readonly send: (message: FromWorker) => void;
}

const statusSweepMs = 60_000;

/** Everything between the accepted connection and the backend, for one thread, which the main thread feeds. */
export function createWorker(
  start: Pick<WorkerStart, "index" | "options" | "shared">,
  { nowMs, monotonicMs, send }: WorkerLinks,
) {
  const log = createWorkerLog(send);
  const options = { ...start.options, log, nowMs, monotonicMs };
  const shared = openSharedState(start.shared, start.index, { nowMs });
  const context = createWorkerContext(options, shared);
  const { wheel, fleet, ownPorts } = context.outbound;
  const reporter = createBackendReporter((events) => send({ kind: "backends", events }));
  const pipeline = createConnectionPipeline(options, context, shared, {
    backendEvents: reporter.events,
    onRelays: (pids) => send({ kind: "relays", pids }),
    onSessions: (sessions) => send({ kind: "sessions", sessions }),
    copies: new SessionCopies(send),
    index: start.index,
  });
  const { shields, statuses, listeners, bedrock } = pipeline;
  const report = new WorkerReport({ ...context, statuses, bedrock });
  wheel.run();
  const timers = [setInterval(tick, 1_000), setInterval(() => statuses.sweep(), statusSweepMs)];

  function tick(): void {
    context.tick();
    pipeline.tick();
    tell();
  }

  function tell(): void {
    reporter.flush();
    send({ kind: "counts", counts: report.take(), relays: pipeline.relayCounts() });
  }

  function change(each: ShieldChange): void {
    if ("remove" in each) {
      shields.remove(each.remove);
      return;
    }
    // The main thread has taken it as well, by the same rules.
    const { shield_id: shield } = each.apply;
    const result = shields.apply(each.apply);
    if (!result.ok) log.error({ shield, reason: result.reason }, "not applied");
  }

  function listen(sockets: readonly WatchedSocket[]): void {
    try {
      for (const socket of sockets) watch(socket);
      send({ kind: "listening" });
    } catch (error) {
      send({ kind: "refused", error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  function watch(socket: WatchedSocket): void {
    (socket.transport === "tcp" ? listeners : bedrock).watch(socket);
  }

  function unwatch(fd: number): void {
    listeners.unwatch(fd);
    bedrock.unwatch(fd);
    send({ kind: "unwatched", fd });
  }

  async function end(work: Promise<void>): Promise<void> {
    await work;
    context.log.tick();
    tell();
    send({ kind: "stopped" });
  }

  function hear(message: ToWorker): void {
    if (message.kind === "changes") {
      // Messages made by our own main thread.
      for (const each of JSON.parse(message.text) as ShieldChange[]) change(each);
      send({ kind: "applied", number: message.number });
    } else if (message.kind === "health") {
      for (const [shieldId, backendId, health, answered] of message.updates) {
        const backends = backendsOf(shields.find(shieldId)?.groups ?? []);
        const backend = backends.find(({ id }) => id === backendId);
        backend?.health.believe(health);
        for (const address of answered) backend?.proof.answer(address);
      }
    } else if (message.kind === "location") shields.setLocation(message.location);
    else if (message.kind === "fleet") fleet.replace(message.addresses);
    else if (message.kind === "vpn") context.vpn.use(message.table);
    else if (message.kind === "places") context.places.use(message.table);
    else if (message.kind === "own-port") ownPorts.add(message.port);
    else if (message.kind === "listen") listen(message.sockets);
    else if (message.kind === "watch") watch(message.socket);
    else if (message.kind === "unwatch") unwatch(message.fd);
    else if (message.kind === "sessions") bedrock.adopt(message.sessions);
    else if (message.kind === "stop") void end(pipeline.stop());
    else if (message.kind === "drain") void end(pipeline.drain(message.hasSuccessor));
  }

  return {
    hear,
    prepare: (): Promise<void> => pipeline.prepare(),
    /** Says that it can take players. */
    ready: (): void => send({ kind: "prepared" }),
    /** Reports what it has counted so far. */
    tell,
    /** Its thread stays, as in tests. */
    close(): void {
      wheel.stop();
      for (const timer of timers) clearInterval(timer);
    },
    wheel,
    admission: context.admission,
    verification: pipeline.verification,
  };
}

export type EdgeWorker = ReturnType<typeof createWorker>;
