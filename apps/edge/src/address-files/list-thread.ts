import { Worker } from "node:worker_threads";
import type { Combined } from "./combine.ts";
import { vpnLimits } from "./limits.ts";
import type { ListAnswer, ListJob } from "./list-messages.ts";
import type { SourceFile } from "./read-source.ts";
import type { ParsedList, SourceRead } from "./parsed-list.ts";

/** Lists are often replaced one after the other: one thread reads them all. */
const idleMs = 5_000;

/**
 * Reads files in a thread of its own, one at a time: a damaged or malicious file can at worst end
 * or block that thread.
 */
export class ListThread {
  readonly #jobMs: number;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(jobMs: number = vpnLimits.jobMs) {
    this.#jobMs = jobMs;
  }

  async read(file: SourceFile): Promise<SourceRead> {
    try {
      const answer = await this.#ask({ kind: "read", file });
      return answer.kind === "read" ? answer.read : {};
    } catch (error) {
      const problem = error instanceof Error ? error.message : "cannot be read";
      return { problem, isPassing: true };
    }
  }

  /** @throws if the thread has no time or memory for it */
  async combine(images: readonly ParsedList[]): Promise<Combined | undefined> {
    const answer = await this.#ask({ kind: "combine", images });
    return answer.kind === "combine" ? answer.combined : undefined;
  }

  /** Accepts no more jobs; the running one fails. */
  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  /** Frees its memory; the next job starts another thread. */
  #end(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #ask(job: ListJob): Promise<ListAnswer> {
    if (this.#isClosed) throw new Error("the edge has stopped");
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      return await new Promise<ListAnswer>((resolve, reject) => {
        const late = (): void => reject(new Error(`takes longer than ${this.#jobMs} ms`));
        const timer = setTimeout(late, this.#jobMs);
        const onEnd = (): void => reject(new Error("the thread that read it has ended"));
        worker.once("message", resolve).once("error", reject).once("exit", onEnd);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          worker.off("message", resolve).off("error", reject).off("exit", onEnd);
        });
        worker.postMessage(job);
      });
    } catch (error) {
      // After any failure the next job starts with a new thread.
      this.#end();
      throw error;
    } finally {
      waiting.abort();
      this.#idle = setTimeout(() => this.#end(), idleMs).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL("list-main.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: vpnLimits.threadHeapMb },
    });
    // The end of an idle thread needs no handling.
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    worker.unref();
    return worker;
  }
}
