import { getPriority, setPriority, totalmem } from "node:os";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** A thread does not live on less. */
const heapMbMin = 64;
const heapMbMax = 4_096;
/**
 * MiB of half a young generation. Most objects of a worker live for one exchange, so a collection finds
 * little to copy, and a larger one saves less than the memory is worth (bench/README.md).
 */
const workerSemiSpaceMb = 2;
/** By so much a heap has grown before its garbage is worth a pause of some hundredths of a second. */
const grownBytesMin = 2 * 1_024 * 1_024;
/** Such a collection drops compiled code as well, which is then made again: so soon it has to be worth more. */
const soonSeconds = 600;
const grownSoonBytesMin = 10 * 1_024 * 1_024;
/** An idle thread's heap grows by less in a second. */
const quietBytes = 32 * 1_024;
/** Nice value of what takes players: behind relay processes, which have 0. */
const workerPriority = 5;

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

/**
 * Threads that start from now on get a worker's young generation. This thread keeps its own, which is
 * small: it accepts no players. V8 reads these flags when a heap begins, and there is no other way to
 * give a heap more than it asks for.
 */
export function enlargeYoungGenerations(): void {
  setFlagsFromString(`--min-semi-space-size=${workerSemiSpaceMb}`);
  setFlagsFromString(`--max-semi-space-size=${workerSemiSpaceMb}`);
}

/**
 * Lowers the priority, so that a flood takes no time from players. On Linux this affects the
 * calling thread alone. A thread of lower priority stays there: only root may raise it.
 */
export function lowerPriority(): void {
  if (getPriority() < workerPriority) setPriority(workerPriority);
}

interface Heap {
  /** Objects that have outlived the young generation; only a collection of all makes it less. */
  readonly oldBytes: () => number;
  /** Frees what nothing refers to, and gives its pages back. */
  readonly collect: () => void;
}

const heapOfThisThread: Heap = {
  oldBytes: () => {
    const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) =>
      name.startsWith("old"),
    );
    return spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
  },
  // With Node's --expose-gc.
  collect: () => globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" }),
};

/**
 * Frees the garbage of a burst once it is over. V8 leaves it until the heap has grown by as much again,
 * which on a quiet edge may be never.
 */
export class QuietCollection {
  readonly #heap: Heap;
  /** After the last collection, and a second ago. */
  #leftBytes: number;
  #lastBytes: number;
  #soonSecondsLeft = 0;

  constructor(heap = heapOfThisThread) {
    this.#heap = heap;
    this.#leftBytes = this.#lastBytes = heap.oldBytes();
  }

  /** Once a second. */
  tick(): void {
    const bytes = this.#heap.oldBytes();
    const isQuiet = bytes - this.#lastBytes < quietBytes;
    this.#lastBytes = bytes;
    this.#soonSecondsLeft--;
    const grownMin = this.#soonSecondsLeft > 0 ? grownSoonBytesMin : grownBytesMin;
    if (!isQuiet || bytes - this.#leftBytes < grownMin) return;
    this.#heap.collect();
    this.#soonSecondsLeft = soonSeconds;
    this.#leftBytes = this.#lastBytes = this.#heap.oldBytes();
  }
}
