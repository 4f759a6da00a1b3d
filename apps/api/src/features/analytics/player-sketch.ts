import { sketchRegisters } from "@palisade/contract/edge/plain-values";

/**
 * Different players, by HyperLogLog (Flajolet et al. 2007) with its correction for few. Entries are
 * 16 * register + rank - 32768.
 */
export type PlayerSketch = Uint8Array;

/** An entry has four bits for it. */
const ranks = 16;
const alpha = 0.7213 / (1 + 1.079 / sketchRegisters);

export function sketchOf(entries: readonly number[]): PlayerSketch {
  const registers = new Uint8Array(sketchRegisters);
  for (const entry of entries) {
    const register = (entry + 32_768) >> 4;
    registers[register] = Math.max(registers[register] ?? 0, (entry + 32_768) & 15);
  }
  return registers;
}

/** The players of all. */
export function unionOf(sketches: readonly PlayerSketch[]): PlayerSketch {
  const union = new Uint8Array(sketchRegisters);
  for (const sketch of sketches) {
    // By index: iterators of typed arrays take ten times as long, and a year has 57 sketches.
    for (let register = 0; register < sketchRegisters; register++) {
      const rank = sketch[register] ?? 0;
      if (rank > (union[register] ?? 0)) union[register] = rank;
    }
  }
  return union;
}

export function estimatePlayers(registers: PlayerSketch): number {
  const counts = new Uint32Array(ranks);
  for (let register = 0; register < sketchRegisters; register++) {
    const rank = registers[register] ?? 0;
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  const empty = counts[0] ?? 0;
  const sum = counts.reduce((total, count, rank) => total + count * 2 ** -rank, 0);
  const estimate = (alpha * sketchRegisters * sketchRegisters) / sum;
  const isFew = estimate <= 2.5 * sketchRegisters && empty > 0;
  return Math.round(isFew ? sketchRegisters * Math.log(sketchRegisters / empty) : estimate);
}

/** Players of a time, with their estimated number. */
export interface EstimatedPlayers {
  readonly sketch: PlayerSketch;
  readonly unique: number;
}

/** How many of `before` are in `after` as well; never more than either has. */
export function estimateReturned(before: EstimatedPlayers, after: EstimatedPlayers): number {
  const both =
    before.unique + after.unique - estimatePlayers(unionOf([before.sketch, after.sketch]));
  return Math.max(0, Math.min(both, before.unique, after.unique));
}
