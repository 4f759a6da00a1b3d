import { parentPort } from "node:worker_threads";
import { combine } from "./combine.ts";
import type { ListAnswer, ListJob } from "./list-messages.ts";
import { readSource } from "./read-source.ts";

/** Reads lists beside the threads that players wait for. */
parentPort?.on("message", (job: ListJob) => {
  void answer(job).then((answer) => parentPort?.postMessage(answer));
});

async function answer(job: ListJob): Promise<ListAnswer> {
  if (job.kind === "read") return { kind: "read", read: await readSource(job.file) };
  return { kind: "combine", table: combine(job.images) };
}
