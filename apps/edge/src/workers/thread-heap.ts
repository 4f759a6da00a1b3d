import { totalmem } from "node:os";

/** A thread does not live on less. */
const heapMbMin = 64;
const heapMbMax = 4_096;

/**
 * Heap limit of one thread: a leak ends the thread before the machine, or its container, is out of
 * memory, and the others go on. All threads together get half; buffers and relay processes come on
 * top.
 */
export function threadHeapMb(threads: number, memoryBytes = memoryOfThis()): number {
  const shareMb = Math.floor(memoryBytes / 2 / 2 ** 20 / threads);
  return Math.min(heapMbMax, Math.max(heapMbMin, shareMb));
}

function memoryOfThis(): number {
  // 0 if that is not known; more than there is where nothing is set.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
