/**
 * Whole numbers from 0 to below a bound, the same for the same seed: a failing seed can be run again.
 * Mulberry32 (Tommy Ettinger): its state goes through all 2^32 values, so that no long run repeats itself.
 */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The same things in an order of the seed's. */
export function shuffled<T>(things: readonly T[], random: (below: number) => number): T[] {
  return things
    .map((thing) => ({ thing, order: random(1_000_000) }))
    .sort((a, b) => a.order - b.order)
    .map(({ thing }) => thing);
}
