import { parentPort, workerData } from "node:worker_threads";
import { noteHeld } from "@palisade/sockets/descriptors";
import { pino } from "pino";
import type { WatchedSocket } from "./port-listeners.ts";
import { backendsOf } from "#src/shields/shield-registry.ts";
import { WorkerReport } from "#src/telemetry/worker-counts.ts";
import { createBackendReporter } from "./backend-reporter.ts";
import { createConnectionPipeline } from "./connection-pipeline.ts";
import { openSharedState } from "./shared-state.ts";
import { createThreadClock } from "./thread-clock.ts";
import {
  type FromWorker,
  type ShieldChange,
  threadProtocol,
  type ToWorker,
  type WorkerStart,
} from "./thread-messages.ts";
import { createWorkerContext } from "./worker-context.ts";
import { lowerPriority } from "./process-priority.ts";

/** A thread that takes players beside others; the main thread keeps what the edge has once. */

const statusSweepMs = 60_000;

// Started by `WorkerThread` with nothing else.
const start = workerData as WorkerStart;
if (start.protocol !== threadProtocol) {
  throw new Error("this thread's files are of another release than the program that runs");
}
noteHeld(start.descriptors);
const { index, options: given } = start;
const nowMs = (): number => Date.now();
const log = pino({ level: given.logLevel, base: { program: "edge", worker: index } });
const options = { ...given, log, nowMs, monotonicMs: createThreadClock() };
const shared = openSharedState(start.shared, index, { nowMs });
const context = createWorkerContext(options, shared);
const { wheel, fleet, ownPorts } = context.outbound;

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

const pipeline = createConnectionPipeline(options, context, shared, {
  isBanned: (sourceKey) => shared.bans.has(sourceKey, nowMs()),
  backendEvents: createBackendReporter((events) => send({ kind: "backends", events })),
  // The main thread's, which has the same shields.
  checks: { replace: () => undefined, remove: () => undefined },
  attacks: { adopt: () => undefined },
  onRelays: (pids) => send({ kind: "relays", pids }),
});
const { shields, statuses, listeners } = pipeline;
const report = new WorkerReport({ ...context, statuses });

function change(each: ShieldChange): void {
  if ("remove" in each) {
    shields.remove(each.remove);
    return;
  }
  // The main thread has taken it as well, by the same rules.
  const result = shields.apply(each.apply);
  if (!result.ok) log.error({ shield: each.apply.shield_id, reason: result.reason }, "not applied");
}

function listen(sockets: readonly WatchedSocket[]): void {
  try {
    for (const socket of sockets) listeners.watch(socket);
    send({ kind: "listening" });
  } catch (error) {
    send({ kind: "refused", error: error instanceof Error ? error : new Error(String(error)) });
  }
}

function unwatch(fd: number): void {
  listeners.unwatch(fd);
  send({ kind: "unwatched", fd });
}

async function end(work: Promise<void>): Promise<void> {
  await work;
  tellCounts();
  send({ kind: "stopped" });
}

function tellCounts(): void {
  send({ kind: "counts", counts: report.take(), relays: pipeline.relayCounts() });
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
  else if (message.kind === "own-port") ownPorts.add(message.port);
  else if (message.kind === "listen") listen(message.sockets);
  else if (message.kind === "watch") listeners.watch(message.socket);
  else if (message.kind === "unwatch") unwatch(message.fd);
  else if (message.kind === "stop") void end(pipeline.stop());
  else if (message.kind === "drain") void end(pipeline.drain(message.hasSuccessor));
}

parentPort?.on("message", (message) => hear(message as ToWorker));
setInterval(() => wheel.advance(), wheel.tickMs);
setInterval(() => {
  context.tick();
  pipeline.tick();
  tellCounts();
}, 1_000);
setInterval(() => statuses.sweep(), statusSweepMs);
await pipeline.prepare();
lowerPriority();
send({ kind: "prepared" });
