/** Sources of all shields that are remembered; the oldest give way. */
const sourcesMax = 50_000;
/** A player who comes again within this time is known. */
const knownMs = 24 * 3_600_000;

/** Sources whose players have joined a shield: they are not suspected in an attack. */
export class KnownSources {
  /** Oldest first. */
  readonly #seen = new Map<string, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  note(shieldId: string, sourceKey: string): void {
    const key = `${shieldId} ${sourceKey}`;
    this.#seen.delete(key);
    this.#seen.set(key, this.#nowMs());
    if (this.#seen.size <= sourcesMax) return;
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest);
      return;
    }
  }

  has(shieldId: string, sourceKey: string): boolean {
    const atMs = this.#seen.get(`${shieldId} ${sourceKey}`);
    return atMs !== undefined && this.#nowMs() - atMs < knownMs;
  }
}
