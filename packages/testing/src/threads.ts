import { Worker } from "node:worker_threads";

/** Variables of a thread's code: `data`, its number `thread`, `tell`, `gate` and `load`. */
const prelude = `
  const { workerData, parentPort } = await import("node:worker_threads");
  const { data, thread, threads, base, at } = workerData;
  const tell = (what) => parentPort.postMessage(what);
  const load = (path) => import(base + path);
  const gate = () => {
    if (Atomics.add(at, 0, 1) + 1 === threads) Atomics.notify(at, 0);
    for (let there = 0; there < threads; there = Atomics.load(at, 0)) Atomics.wait(at, 0, there);
  };
`;

/**
 * Runs code in threads of its own, all at once from their call of `gate` on.
 *
 * @param code of a module; loads files of the repository by `load`, and tells once
 * @returns what each has told, and the threads, those that have not ended included
 */
export async function runThreads<T>(threads: number, code: string, data: object) {
  const base = new URL("../../../", import.meta.url).href;
  const source = new URL(`data:text/javascript,${encodeURIComponent(prelude + code)}`);
  const at = new Int32Array(new SharedArrayBuffer(4));
  const workers = Array.from(
    { length: threads },
    (_, thread) => new Worker(source, { workerData: { data, thread, threads, base, at } }),
  );
  const told = await Promise.all(
    workers.map(
      (worker) =>
        new Promise<T>((resolve, reject) => {
          worker.once("message", resolve);
          worker.once("error", reject);
        }),
    ),
  );
  return { told, workers };
}
