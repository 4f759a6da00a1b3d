import type { CounterRegistry } from "./counter-registry.ts";
import type { DatagramCounts, DatagramCountsPart } from "./datagram-counts.ts";
import type { AttackSamplePart, AttackSamples } from "./attack-samples.ts";
import { type LoginLog, type LoginLogPart, readJoins, type SampledLog } from "./login-log.ts";
import { noPlaces, type PlaceLookup } from "./minute-details.ts";
import type { OutcomeCounts, OutcomePart } from "./outcomes.ts";
import type { ShieldCountersPart } from "./shield-counters.ts";

/** Current values of a worker. */
export interface WorkerGauges {
  readonly statusCacheBytes: number;
  readonly bedrockSessions: number;
}

/** Counts of a worker since the last call; can be passed as a structured clone. */
export interface WorkerCounts {
  readonly shields: readonly ShieldCountersPart[];
  readonly outcomes: OutcomePart;
  readonly logins: LoginLogPart;
  readonly attacks: readonly AttackSamplePart[];
  readonly linesLeftOut: number;
  readonly datagrams: DatagramCountsPart;
  readonly gauges: WorkerGauges;
}

/** The counters of one thread. */
export interface WorkerCounters {
  readonly counters: CounterRegistry;
  readonly outcomes: OutcomeCounts;
  readonly logins: LoginLog;
  readonly log: SampledLog;
  /** On Bedrock ports. */
  readonly datagrams: DatagramCounts;
}

export interface WorkerSources extends WorkerCounters {
  readonly attackSamples: AttackSamples;
  readonly statuses: { readonly cachedBytes: number };
  readonly bedrock: { readonly sessions: number };
}

/** In a worker: collects its counts for the main thread, each once. */
export class WorkerReport {
  readonly #parts: WorkerSources;

  constructor(parts: WorkerSources) {
    this.#parts = parts;
  }

  /** Once a second, and a last time when the thread has stopped. */
  take(): WorkerCounts {
    const { counters, outcomes, logins, log, datagrams } = this.#parts;
    const { attackSamples, statuses, bedrock } = this.#parts;
    return {
      shields: counters.takeParts(),
      outcomes: outcomes.takeAll(),
      logins: logins.takeAll(),
      attacks: attackSamples.takeAll(),
      linesLeftOut: log.takeLeftOut(),
      datagrams: datagrams.takeAll(),
      gauges: { statusCacheBytes: statuses.cachedBytes, bedrockSessions: bedrock.sessions },
    };
  }
}

export interface MergeOptions {
  /** Tells the countries and networks that players join from. */
  readonly places?: PlaceLookup | undefined;
  readonly onAttackSamples?: (samples: readonly AttackSamplePart[]) => void;
}

/** In the main thread: the counts of all workers. */
export class MergedWorkers {
  readonly #into: WorkerCounters;
  readonly #places: PlaceLookup;
  readonly #onAttackSamples: (samples: readonly AttackSamplePart[]) => void;
  readonly #gauges = new Map<number, WorkerGauges>();

  constructor(
    into: WorkerCounters,
    { places = noPlaces, onAttackSamples = () => undefined }: MergeOptions = {},
  ) {
    this.#into = into;
    this.#places = places;
    this.#onAttackSamples = onAttackSamples;
  }

  /** The highest value of all threads: shared answers are in memory once. */
  get statusCacheBytes(): number {
    const values = [...this.#gauges.values()].map(({ statusCacheBytes }) => statusCacheBytes);
    return Math.max(0, ...values);
  }

  get bedrockSessions(): number {
    let sum = 0;
    for (const { bedrockSessions } of this.#gauges.values()) sum += bedrockSessions;
    return sum;
  }

  add(thread: number, counts: WorkerCounts): void {
    const { counters, outcomes, logins, log, datagrams } = this.#into;
    counters.addParts(thread, counts.shields);
    counters.addJoins(readJoins(counts.logins.joins), this.#places);
    outcomes.add(counts.outcomes);
    logins.add(counts.logins);
    if (counts.attacks.length > 0) this.#onAttackSamples(counts.attacks);
    log.leftOut += counts.linesLeftOut;
    datagrams.addPart(counts.datagrams);
    this.#gauges.set(thread, counts.gauges);
  }

  /** A thread has ended: its counts stay, its current values do not. */
  forget(thread: number): void {
    this.#into.counters.forgetThread(thread);
    this.#gauges.delete(thread);
  }
}
