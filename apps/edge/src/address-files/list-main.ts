import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { combine } from "./combine.ts";
import type { ListAnswer, ListJob } from "./list-messages.ts";
import { readSource } from "./read-source.ts";

/** Nice value: players go before. */
const priority = 10;
// Linux has priorities of threads; elsewhere it would be the whole program's.
if (process.platform === "linux") setPriority(priority);

/** Reads lists beside the threads that players wait for. */
parentPort?.on("message", (job: ListJob) => {
  void answer(job).then((answer) => parentPort?.postMessage(answer));
});

async function answer(job: ListJob): Promise<ListAnswer> {
  if (job.kind === "read") return { kind: "read", read: await readSource(job.file) };
  return { kind: "combine", combined: combine(job.images) };
}
