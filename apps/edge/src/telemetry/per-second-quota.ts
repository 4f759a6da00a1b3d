import { FixedWindowCounter } from "#src/rules/shared/fixed-window-counter.ts";
import { type Key, SeededHash } from "#src/rules/shared/seeded-hash.ts";

const windowMs = 1_000;
/** Names whose keys are kept; a flood is on few shields. */
const keptNamesMax = 1_024;
const slotsDefault = 16_384;

/** Things that are limited per second. */
export type QuotaKind = "line" | "joined" | "refused" | "uncached" | "dial" | "check" | "untried";

const spaces = {
  line: 0,
  joined: 1,
  refused: 2,
  uncached: 3,
  dial: 4,
  check: 5,
  untried: 6,
} as const satisfies Record<QuotaKind, number>;

export interface PerSecondQuotaBuffers {
  readonly counts: SharedArrayBuffer;
  readonly seed: Uint8Array;
}

/** Limits how often something may be done in a second, by all threads together. */
export class PerSecondQuota {
  readonly #counts: FixedWindowCounter;
  readonly #hash: SeededHash;
  readonly #nowMs: () => number;
  /** Keys of quotas that are not split further: they are needed with every login. */
  readonly #plain: readonly Key[];
  /** The keys of names that were asked for last, by the quota's number. */
  readonly #kept: readonly Map<string, Key>[];

  /** @param seed 8 bytes */
  static allocate(seed: Uint8Array, slots = slotsDefault): PerSecondQuotaBuffers {
    return { counts: FixedWindowCounter.allocate(slots), seed };
  }

  /** @param nowMs of a clock that all threads have in common */
  constructor({ counts, seed }: PerSecondQuotaBuffers, nowMs: () => number) {
    this.#counts = new FixedWindowCounter(counts, windowMs);
    this.#hash = new SeededHash(seed);
    this.#nowMs = nowMs;
    this.#plain = Object.values(spaces).map((space) => this.#keyFor(space, ""));
    this.#kept = this.#plain.map(() => new Map());
  }

  /** Taken in the running second. */
  taken(of: QuotaKind, key = ""): number {
    return this.#counts.count(this.#keyOf(of, key), this.#nowMs());
  }

  /** @param max at most 4,095 */
  take(of: QuotaKind, max: number, key = ""): boolean {
    return this.#counts.hit(this.#keyOf(of, key), this.#nowMs(), max);
  }

  #keyOf(of: QuotaKind, name: string): Key {
    const space = spaces[of];
    if (name === "") return this.#plain[space] ?? this.#keyFor(space, name);
    const kept = this.#kept[space];
    const known = kept?.get(name);
    if (known !== undefined || kept === undefined) return known ?? this.#keyFor(space, name);
    if (kept.size >= keptNamesMax) kept.clear();
    const key = this.#keyFor(space, name);
    kept.set(name, key);
    return key;
  }

  /** A copy: the hash overwrites its own result. */
  #keyFor(space: number, name: string): Key {
    const { high, low } = this.#hash.begin(space).addName(name).end();
    return { high, low };
  }
}

/** For one thread alone. */
export function singleThreadQuota(nowMs: () => number): PerSecondQuota {
  return new PerSecondQuota(PerSecondQuota.allocate(new Uint8Array(8)), nowMs);
}
