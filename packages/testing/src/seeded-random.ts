/**
 * Whole numbers from 0 to below a bound, the same for the same seed: a failing seed can be run again.
 */
export function seededRandom(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 1) % 2_147_483_648;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** The same things in an order of the seed's. */
export function shuffled<T>(things: readonly T[], random: (below: number) => number): T[] {
  return things
    .map((thing) => ({ thing, order: random(1_000_000) }))
    .sort((a, b) => a.order - b.order)
    .map(({ thing }) => thing);
}
