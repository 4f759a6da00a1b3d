import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { addressFilesMax } from "@palisade/address-databases/address-databases";
import type { PlaceTable } from "#src/rules/address-lookups.ts";
import type { PlaceJob, PlaceRead } from "./place-messages.ts";
import type { PlaceFile } from "./read-places.ts";

export const placeLimits = {
  fileBytesMax: 512 * 1_048_576,
  /** Reading one file. */
  jobMs: 120_000,
  /** MiB of the thread that does it, besides the file itself. */
  threadHeapMb: 768,
  /** How often the files are checked for changes. */
  lookEveryMs: 30_000,
} as const;

interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface PlaceTableUpdaterDeps {
  /**
   * Files in MaxMind's format, in the order in which they are asked. The class AddressDatabases, which reads
   * the same ones for the log, warns of those that are too many.
   */
  readonly paths: readonly string[];
  /** Receives the table of all files, to be used from now on. */
  readonly onTable: (table: PlaceTable) => void;
  readonly log: Log;
}

interface KnownFile {
  /** Another one where the file is another; empty if it cannot be told. */
  readonly stamp: string;
  /** The version in use. */
  readonly file: PlaceFile | undefined;
}

/**
 * Keeps the table of countries and networks up to date with the operator's files. A file that cannot be
 * read leaves its former version in use. No promise here rejects.
 */
export class PlaceTableUpdater {
  readonly #deps: PlaceTableUpdaterDeps;
  readonly #paths: readonly string[];
  readonly #known = new Map<string, KnownFile>();
  readonly #problems = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #worker: Worker | undefined;
  #isStopped = false;

  constructor(deps: PlaceTableUpdaterDeps) {
    this.#deps = deps;
    this.#paths = deps.paths.slice(0, addressFilesMax);
  }

  /** Resolves when the files were read for the first time. */
  start(): Promise<void> {
    if (this.#paths.length === 0) return Promise.resolve();
    this.#timer ??= setInterval(() => void this.look(), placeLimits.lookEveryMs).unref();
    return this.look();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    void this.#worker?.terminate();
  }

  /** Reads files that have changed. */
  look(): Promise<void> {
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #readAll(): Promise<void> {
    let isChanged = false;
    for (const path of this.#paths) {
      if (this.#isStopped) return;
      isChanged = (await this.#read(path)) || isChanged;
    }
    if (!isChanged || this.#isStopped) return;
    const files = this.#paths.flatMap((path) => this.#known.get(path)?.file ?? []);
    this.#deps.onTable({
      countries: files.flatMap(({ countries }) => countries ?? []),
      networks: files.flatMap(({ networks }) => networks ?? []),
    });
  }

  /** @returns whether another version is to be used */
  async #read(path: string): Promise<boolean> {
    const known = this.#known.get(path);
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const stamp = `${ino} ${mtimeMs} ${size}`;
      if (known?.stamp === stamp) return false;
      const read: PlaceRead =
        size > placeLimits.fileBytesMax
          ? { problem: `is larger than ${placeLimits.fileBytesMax} bytes` }
          : await this.#readInThread({ path });
      if ("problem" in read) {
        this.#known.set(path, { stamp, file: known?.file });
        this.#note(path, read.problem);
        return false;
      }
      this.#known.set(path, { stamp, file: read.file });
      this.#problems.delete(path);
      this.#deps.log.info({ file: path }, "rules by country and network use the database");
      return true;
    } catch (error) {
      // The cause is not in the file, so it is read again at the next check.
      this.#note(path, error instanceof Error ? error.message : "cannot be read");
      return false;
    }
  }

  /** A damaged or malicious file can at worst end that thread. */
  async #readInThread(job: PlaceJob): Promise<PlaceRead> {
    const worker = new Worker(new URL("place-main.ts", import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: placeLimits.threadHeapMb },
    });
    this.#worker = worker;
    worker.unref();
    const { promise, resolve, reject } = Promise.withResolvers<PlaceRead>();
    const late = (): void => reject(new Error(`takes longer than ${placeLimits.jobMs} ms`));
    const timer = setTimeout(late, placeLimits.jobMs).unref();
    worker.once("message", resolve);
    worker.on("error", reject);
    worker.once("exit", () => reject(new Error("the thread that read it has ended")));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#worker = undefined;
      void worker.terminate();
    }
  }

  #note(path: string, problem: string): void {
    if (this.#isStopped || this.#problems.get(path) === problem) return;
    this.#problems.set(path, problem);
    this.#deps.log.warn(
      { file: path, problem },
      "rules by country and network cannot use the database; its former version goes on",
    );
  }
}
