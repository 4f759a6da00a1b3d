import { parentPort } from "node:worker_threads";

/** A thread that takes players, and hangs for good once it is told `block`. */

parentPort?.on("message", (message: { readonly kind: string }) => {
  if (message.kind === "block") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
await import("#src/workers/worker-main.ts");
