import { closeDescriptor, openedOrThrow } from "./descriptors.ts";
import { SystemCallError, succeeded } from "./errno.ts";
import { libc, viewMemory } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";

/** Words of 32 bits of a request (struct io_uring_sqe, io_uring_enter(2)). */
export const requestWords = {
  /** In the lowest byte. */
  operation: 0,
  fd: 1,
  addressLow: 4,
  addressHigh: 5,
  length: 6,
  /** As of recv(2) and send(2). */
  flags: 7,
  tag: 8,
  count: 16,
} as const;

export const operations = { send: 26, receive: 27 } as const;

/** Words of a completion (struct io_uring_cqe). */
const completionWords = { tag: 0, result: 2, count: 4 } as const;
/** Offsets in struct io_uring_params (io_uring_setup(2)); those of the rings are offsets in the mapped memory. */
const parameters = {
  bytes: 120,
  requests: 0,
  completions: 4,
  flags: 8,
  queueTail: 44,
  queueArray: 64,
  doneHead: 80,
  doneTail: 84,
  doneArray: 100,
} as const;
/**
 * SUBMIT_ALL: a request that fails does not hold up those after it. COOP_TASKRUN, SINGLE_ISSUER: the one
 * thread that uses the ring is not interrupted for it. Kernels before 6.0 refuse these.
 */
const setupFlags = (1 << 7) | (1 << 8) | (1 << 12);
const readWrite = 0x3;
const sharedPopulated = 0x8001;
const requestsOffset = 0x1000_0000;
const wordBytes = Int32Array.BYTES_PER_ELEMENT;

interface Mapped {
  readonly address: number;
  readonly bytes: number;
}

/**
 * io_uring(7) as a way to make many calls by one, each of which is over when that one returns. Requests
 * stay in their places and are submitted again and again by their number.
 */
export class IoUring {
  /** The words of all requests, `requestWords.count` of each. */
  readonly requests: Int32Array;
  readonly #fd: number;
  readonly #mapped: Mapped[] = [];
  /** Both rings. The fields below are places in it, in words. */
  readonly #rings: Int32Array;
  readonly #queueTail: number;
  readonly #queueArray: number;
  readonly #queueMask: number;
  readonly #doneHead: number;
  readonly #doneTail: number;
  readonly #doneArray: number;
  readonly #doneMask: number;
  #tail: number;
  #queued = 0;

  /** @returns undefined where the kernel has no such ring, forbids it, or has no memory for it */
  static open(entriesMax: number): IoUring | undefined {
    try {
      return new IoUring(entriesMax);
    } catch (error) {
      if (error instanceof SystemCallError) return undefined;
      throw error;
    }
  }

  /** @param entriesMax a power of two. @throws SystemCallError */
  private constructor(entriesMax: number) {
    const memory = new NativeMemory(parameters.bytes);
    const field = (offset: number): number => memory.view.getUint32(offset, true);
    memory.view.setUint32(parameters.flags, setupFlags, true);
    this.#fd = openedOrThrow("io_uring_setup", libc.io_uring_setup(entriesMax, memory.address));
    try {
      const entries = field(parameters.requests);
      const completions = field(parameters.completions);
      this.#queueTail = field(parameters.queueTail) / wordBytes;
      this.#queueArray = field(parameters.queueArray) / wordBytes;
      this.#queueMask = entries - 1;
      this.#doneHead = field(parameters.doneHead) / wordBytes;
      this.#doneTail = field(parameters.doneTail) / wordBytes;
      this.#doneArray = field(parameters.doneArray) / wordBytes;
      this.#doneMask = completions - 1;
      const ringWords = Math.max(
        this.#queueArray + entries,
        this.#doneArray + completions * completionWords.count,
      );
      this.#rings = this.#map(ringWords, 0);
      this.requests = this.#map(entries * requestWords.count, requestsOffset);
      this.#tail = this.#rings[this.#queueTail] ?? 0;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      memory.free();
    }
  }

  /** Submits the request of this number next, after those that were queued before. */
  queue(request: number): void {
    this.#rings[this.#queueArray + (this.#tail & this.#queueMask)] = request;
    this.#tail = (this.#tail + 1) | 0;
    this.#queued++;
  }

  /**
   * Carries out what is queued. No request may wait for anything.
   *
   * @param results by the tag of each request: as the call returns it, or a negated error number
   * @returns how many were carried out, the first ones: the kernel may have no memory for the others,
   *   which are not queued any more
   */
  run(results: Int32Array): number {
    const queued = this.#queued;
    this.#queued = 0;
    this.#rings[this.#queueTail] = this.#tail;
    const count = Math.max(0, libc.io_uring_enter(this.#fd, queued));
    if (count < queued) {
      this.#tail = (this.#tail - queued + count) | 0;
      this.#rings[this.#queueTail] = this.#tail;
    }
    const head = this.#rings[this.#doneHead] ?? 0;
    for (let done = 0; done < count; done++) {
      const at = this.#doneArray + ((head + done) & this.#doneMask) * completionWords.count;
      const tag = this.#rings[at + completionWords.tag] ?? 0;
      results[tag] = this.#rings[at + completionWords.result] ?? 0;
    }
    if (this.#rings[this.#doneTail] !== ((head + count) | 0)) {
      throw new Error(`of ${count} requests some are not over`);
    }
    this.#rings[this.#doneHead] = (head + count) | 0;
    return count;
  }

  close(): void {
    for (const { address, bytes } of this.#mapped) libc.munmap(address, bytes);
    closeDescriptor(this.#fd);
  }

  #map(words: number, offset: number): Int32Array {
    const bytes = words * wordBytes;
    const address = libc.mmap(0, bytes, readWrite, sharedPopulated, this.#fd, offset);
    if (address === -1) succeeded("mmap", -libc.errno());
    this.#mapped.push({ address, bytes });
    return new Int32Array(viewMemory(address, bytes));
  }
}
