import { irreplaceable, type WorthOf } from "./shared-hash-table.ts";

/** Longest time that can be told from one that is over. */
const unitsLimit = 0x7fff_ffff;

/**
 * Policy of entries that expire. The state is the time at which an entry ends, modulo 2^32 of the
 * units of `now`; 0 stands for an entry that has ended. The entry that ends first makes room.
 *
 * @param unitsMax longest entry; one that seems to last longer is of a clock that was set back
 */
export function timeLeft(unitsMax = unitsLimit): WorthOf {
  return (state, now) => {
    if (state === 0) return 0;
    const units = (state - now) | 0;
    return units > 0 && units <= unitsMax ? units : 0;
  };
}

/** Policy of entries that must not be forgotten while they are worth anything: full, it refuses. */
export function refuseWhenFull(worthOf: WorthOf): WorthOf {
  return (state, now, slot) => (worthOf(state, now, slot) > 0 ? irreplaceable : 0);
}
