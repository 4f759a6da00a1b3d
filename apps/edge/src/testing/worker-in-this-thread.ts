import { createWorker, type EdgeWorker, type WorkerLinks } from "#src/workers/worker.ts";
import type { StartThread } from "#src/workers/worker-thread.ts";

/**
 * Starts workers in the calling thread, so that a test has their clock and sees what they hold. Messages
 * are cloned as between threads, but arrive at once.
 *
 * @param onWorker called with each of them
 */
export function startInThisThread(
  clock: Pick<WorkerLinks, "nowMs" | "monotonicMs">,
  onWorker: (worker: EdgeWorker) => void,
): StartThread {
  return (start, { onMessage, onExit }) => {
    const send: WorkerLinks["send"] = (message) => onMessage(structuredClone(message));
    const worker = createWorker(structuredClone(start), { ...clock, send });
    onWorker(worker);
    // Its messages come once the caller has it.
    setImmediate(() => void worker.prepare().then(worker.ready));
    return {
      post: (message) => worker.hear(structuredClone(message)),
      terminate() {
        worker.close();
        onExit();
        return Promise.resolve();
      },
    };
  };
}
