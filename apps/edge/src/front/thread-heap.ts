import { totalmem } from "node:os";

/** A thread does not live on less. */
const heapMbMin = 64;
const heapMbMax = 4_096;

/**
 * Of one thread: a leak ends it before the machine, or what its container is given of it, is out of
 * memory, and the others go on. Together they get half; buffers and relay processes are beside it.
 */
export function threadHeapMb(threads: number, memoryBytes = memoryOfThis()): number {
  const shareMb = Math.floor(memoryBytes / 2 / 2 ** 20 / threads);
  return Math.min(heapMbMax, Math.max(heapMbMin, shareMb));
}

function memoryOfThis(): number {
  // 0 where that is not known; more than there is where nothing is set.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
