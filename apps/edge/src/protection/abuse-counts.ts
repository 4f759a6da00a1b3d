import { addFacts, addOutcome, noFacts, type SourceFacts } from "./abuse.ts";

/** Sources counted between two looks; those that come when it is full go uncounted. */
const sourcesMax = 16_384;

/** How connections of each source ended, as one thread sees it, until whoever decides takes it. */
export class AbuseCounts {
  #sources = new Map<string, SourceFacts>();

  /** @param key of `sourceKey` */
  note(key: string, outcome: string): void {
    const facts = this.#factsOf(key);
    if (facts !== undefined) addOutcome(facts, outcome);
  }

  /** Takes over what another thread has counted. */
  add(key: string, more: SourceFacts): void {
    const facts = this.#factsOf(key);
    if (facts !== undefined) addFacts(facts, more);
  }

  drain(): ReadonlyMap<string, SourceFacts> {
    const sources = this.#sources;
    if (sources.size > 0) this.#sources = new Map();
    return sources;
  }

  #factsOf(key: string): SourceFacts | undefined {
    const known = this.#sources.get(key);
    if (known !== undefined || this.#sources.size >= sourcesMax) return known;
    const facts = noFacts();
    this.#sources.set(key, facts);
    return facts;
  }
}
