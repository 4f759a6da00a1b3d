import { parentPort, workerData } from "node:worker_threads";
import { noteHeld } from "@palisade/sockets/descriptors";
import { turnClock } from "@palisade/sockets/reactor";
import { createThreadClock } from "./shared-state.ts";
import {
  type FromWorker,
  threadProtocol,
  type ToWorker,
  type WorkerStart,
} from "./thread-messages.ts";
import { lowerPriority, QuietCollection } from "./thread-resources.ts";
import { createWorker } from "./worker.ts";

/** The program of a thread that accepts players. It loads neither the contract's schemas nor a logger. */

// Started by `WorkerThread` with nothing else.
const start = workerData as WorkerStart;
if (start.protocol !== threadProtocol) {
  throw new Error("this thread's files are of another release than the program that runs");
}
noteHeld(start.descriptors);
const worker = createWorker(start, {
  nowMs: turnClock(Date.now),
  monotonicMs: turnClock(createThreadClock()),
  send: (message: FromWorker) => parentPort?.postMessage(message),
});
parentPort?.on("message", (message) => worker.hear(message as ToWorker));
await worker.prepare();
lowerPriority();
const quietCollection = new QuietCollection();
setInterval(() => quietCollection.tick(), 1_000).unref();
worker.ready();
