import { sketchRegisters } from "@palisade/contract/edge/plain-values";

/**
 * Different players, by HyperLogLog (Flajolet et al. 2007) with its correction for few. Entries are
 * 16 * register + rank - 32768.
 */
export type PlayerSketch = Uint8Array;

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
    for (const [register, rank] of sketch.entries()) {
      if (rank > (union[register] ?? 0)) union[register] = rank;
    }
  }
  return union;
}

export function estimatePlayers(registers: PlayerSketch): number {
  let sum = 0;
  let empty = 0;
  for (const rank of registers) {
    sum += 2 ** -rank;
    if (rank === 0) empty++;
  }
  const estimate = (alpha * sketchRegisters * sketchRegisters) / sum;
  const isFew = estimate <= 2.5 * sketchRegisters && empty > 0;
  return Math.round(isFew ? sketchRegisters * Math.log(sketchRegisters / empty) : estimate);
}

/** How many of `before` are in `after` as well; never more than either has. */
export function estimateReturned(before: PlayerSketch, after: PlayerSketch): number {
  const [first, second] = [estimatePlayers(before), estimatePlayers(after)];
  const both = first + second - estimatePlayers(unionOf([before, after]));
  return Math.max(0, Math.min(both, first, second));
}
