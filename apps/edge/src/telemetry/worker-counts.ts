import type { CounterRegistry } from "./counter-registry.ts";
import type { LoginLog, LoginLogPart } from "./login-log.ts";
import type { OutcomeCounts, OutcomePart } from "./outcome-counts.ts";
import type { SampledLog } from "./sampled-log.ts";
import type { ShieldCountersPart } from "./shield-counters.ts";

/** What a thread that takes players has there now. */
export interface WorkerGauges {
  readonly statusCacheBytes: number;
  readonly groupPorts: number;
  readonly groupPortsMissing: number;
}

/** What such a thread has counted since it was asked last: a structured clone's kind. */
export interface WorkerCounts {
  readonly shields: readonly ShieldCountersPart[];
  readonly outcomes: OutcomePart;
  readonly logins: LoginLogPart;
  readonly linesLeftOut: number;
  readonly groupPortFailures: number;
  readonly gauges: WorkerGauges;
}

/** Where one thread counts. */
export interface WorkerCounters {
  readonly counters: CounterRegistry;
  readonly outcomes: OutcomeCounts;
  readonly logins: LoginLog;
  readonly log: SampledLog;
}

export interface WorkerSources extends WorkerCounters {
  readonly statuses: { readonly cachedBytes: number };
  /** `failures` since the thread's start. */
  readonly ports: { readonly open: number; readonly missing: number; readonly failures: number };
}

/** In a thread that takes players: what it has to tell, each count once. */
export class WorkerReport {
  readonly #parts: WorkerSources;
  #failuresTold = 0;

  constructor(parts: WorkerSources) {
    this.#parts = parts;
  }

  /** Once a second, and a last time when the thread has stopped. */
  take(): WorkerCounts {
    const { counters, outcomes, logins, log, statuses, ports } = this.#parts;
    const groupPortFailures = ports.failures - this.#failuresTold;
    this.#failuresTold = ports.failures;
    return {
      shields: counters.takeParts(),
      outcomes: outcomes.takeAll(),
      logins: logins.takeAll(),
      linesLeftOut: log.takeLeftOut(),
      groupPortFailures,
      gauges: {
        statusCacheBytes: statuses.cachedBytes,
        groupPorts: ports.open,
        groupPortsMissing: ports.missing,
      },
    };
  }
}

/** In the main thread: what all the others have told. */
export class MergedWorkers {
  readonly #into: WorkerCounters;
  readonly #gauges = new Map<number, WorkerGauges>();
  groupPortFailures = 0;

  constructor(into: WorkerCounters) {
    this.#into = into;
  }

  /** Of the thread that has most: what several have lies in memory once. */
  get statusCacheBytes(): number {
    return Math.max(0, ...this.#each("statusCacheBytes"));
  }

  /** That every thread listens on: each has the same. */
  get groupPorts(): number {
    return this.#gauges.size === 0 ? 0 : Math.min(...this.#each("groupPorts"));
  }

  /** That some thread could not have. */
  get groupPortsMissing(): number {
    return Math.max(0, ...this.#each("groupPortsMissing"));
  }

  add(thread: number, counts: WorkerCounts): void {
    const { counters, outcomes, logins, log } = this.#into;
    counters.addParts(thread, counts.shields);
    outcomes.add(counts.outcomes);
    logins.add(counts.logins);
    log.leftOut += counts.linesLeftOut;
    this.groupPortFailures += counts.groupPortFailures;
    this.#gauges.set(thread, counts.gauges);
  }

  /** A thread has gone: what it had told stays, what it has there now does not. */
  forget(thread: number): void {
    this.#into.counters.forgetThread(thread);
    this.#gauges.delete(thread);
  }

  #each(gauge: keyof WorkerGauges): number[] {
    return [...this.#gauges.values()].map((gauges) => gauges[gauge]);
  }
}
