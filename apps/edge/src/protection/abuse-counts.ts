import { addOutcome, noFacts, type SourceFacts } from "./abuse.ts";

/** Sources counted between two looks; those that come when it is full go uncounted. */
const sourcesMax = 16_384;

/** How connections of each source ended, as one thread sees it, until whoever decides takes it. */
export class AbuseCounts {
  #sources = new Map<string, SourceFacts>();

  /** @param key of `sourceKey` */
  note(key: string, outcome: string): void {
    let facts = this.#sources.get(key);
    if (facts === undefined) {
      if (this.#sources.size >= sourcesMax) return;
      facts = noFacts();
      this.#sources.set(key, facts);
    }
    addOutcome(facts, outcome);
  }

  drain(): ReadonlyMap<string, SourceFacts> {
    const sources = this.#sources;
    if (sources.size > 0) this.#sources = new Map();
    return sources;
  }
}
