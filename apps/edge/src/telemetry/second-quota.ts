import { RateTable } from "#src/protection/shared/rate-table.ts";
import { type Key, SeededHash } from "#src/protection/shared/seeded-hash.ts";

const windowMs = 1_000;
const slotsDefault = 16_384;

/** Of what there is only so much in a second. */
export type QuotaOf = "line" | "joined" | "refused" | "uncached";

const spaces = { line: 0, joined: 1, refused: 2, uncached: 3 } as const satisfies Record<
  QuotaOf,
  number
>;

export interface SecondQuotaBuffers {
  readonly counts: SharedArrayBuffer;
  readonly seed: Uint8Array;
}

/** How often something may be done in a second, by all threads together. */
export class SecondQuota {
  readonly #counts: RateTable;
  readonly #hash: SeededHash;
  readonly #nowMs: () => number;
  /** Of what has no key of its own, by its space: asked for with every login. */
  readonly #plain: readonly Key[];

  /** @param seed 8 bytes */
  static allocate(seed: Uint8Array, slots = slotsDefault): SecondQuotaBuffers {
    return { counts: RateTable.allocate(slots), seed };
  }

  /** @param nowMs of a clock that all threads have in common */
  constructor({ counts, seed }: SecondQuotaBuffers, nowMs: () => number) {
    this.#counts = new RateTable(counts, windowMs);
    this.#hash = new SeededHash(seed);
    this.#nowMs = nowMs;
    this.#plain = Object.values(spaces).map((space) => {
      const { high, low } = this.#hash.begin(space).end();
      return { high, low };
    });
  }

  /** Taken in the running second. */
  taken(of: QuotaOf, key = ""): number {
    return this.#counts.count(this.#keyOf(of, key), this.#nowMs());
  }

  /** @param max at most 4,095 */
  take(of: QuotaOf, max: number, key = ""): boolean {
    return this.#counts.hit(this.#keyOf(of, key), this.#nowMs(), max);
  }

  #keyOf(of: QuotaOf, key: string): Key {
    const space = spaces[of];
    const plain = key === "" ? this.#plain[space] : undefined;
    return plain ?? this.#hash.begin(space).addName(key).end();
  }
}

/** For one thread alone. */
export function secondQuotaOf(nowMs: () => number): SecondQuota {
  return new SecondQuota(SecondQuota.allocate(new Uint8Array(8)), nowMs);
}
