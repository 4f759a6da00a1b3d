import { randomInt } from "node:crypto";
import { AbuseCounters } from "#src/rules/abuse-counters.ts";
import type { SourceRows } from "#src/rules/source-table.ts";
import { sourceCountOf, type Outcome } from "./outcomes.ts";

/** Counts of one thread since the last call. */
export interface OutcomePart {
  readonly accepted: number;
  readonly outcomes: readonly (readonly [Outcome, number])[];
  readonly handshakes: readonly (readonly [string, number])[];
  readonly sources: SourceRows;
}

/** Plain numbers, read by the metrics when they are asked for. */
export class OutcomeCounts {
  accepted = 0;
  readonly #counts = new Map<Outcome, number>();
  /** By the client's intent. */
  readonly #handshakes = new Map<string, number>();
  /** The same by source, from which bans are decided. */
  readonly bySource = new AbuseCounters(randomInt(2 ** 32));

  /** @param source of `sourceKey`, where it is known */
  count(outcome: Outcome, source?: string): void {
    if (source !== undefined) this.bySource.note(source, sourceCountOf[outcome]);
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  /** @param intent of the handshake */
  countHandshake(intent: string): void {
    this.#handshakes.set(intent, (this.#handshakes.get(intent) ?? 0) + 1);
  }

  /** Takes all counts, for the thread that reports them. */
  takeAll(): OutcomePart {
    const part = {
      accepted: this.accepted,
      outcomes: [...this.#counts],
      handshakes: [...this.#handshakes],
      sources: this.bySource.drain(),
    };
    this.accepted = 0;
    this.#counts.clear();
    this.#handshakes.clear();
    return part;
  }

  /** Adds the counts of another thread. */
  add({ accepted, outcomes, handshakes, sources }: OutcomePart): void {
    this.accepted += accepted;
    for (const [outcome, count] of outcomes) addTo(this.#counts, outcome, count);
    for (const [intent, count] of handshakes) addTo(this.#handshakes, intent, count);
    this.bySource.add(sources);
  }

  handshakes(): Iterable<[string, number]> {
    return this.#handshakes.entries();
  }

  get(outcome: Outcome): number {
    return this.#counts.get(outcome) ?? 0;
  }

  entries(): Iterable<[Outcome, number]> {
    return this.#counts.entries();
  }
}

function addTo<K>(counts: Map<K, number>, key: K, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
