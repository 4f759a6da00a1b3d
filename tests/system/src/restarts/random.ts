/** Repeatable randomness: the same seed gives the same run (mulberry32). */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick: ([first, ...rest]) => [first, ...rest][Math.floor(next() * (rest.length + 1))] ?? first,
  };
}
