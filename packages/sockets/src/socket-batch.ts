import { errno } from "./errno.ts";
import { IoUring, operations, requestWords } from "./io-uring.ts";
import { NativeMemory } from "./native-memory.ts";
import { withoutSignal } from "./socket-flags.ts";
import { receive, send } from "./tcp.ts";

/** MSG_DONTWAIT of recv(2) and send(2). */
const withoutWaiting = 0x40;

export interface SocketBatchOptions {
  /** A power of two. */
  readonly entriesMax: number;
  /** A multiple of 4, the room of an entry. */
  readonly blockBytes: number;
}

/**
 * Receives from many sockets by one call, and sends to many by another (io_uring(7)). On a kernel without
 * it, or one that forbids it as containers often do, they are calls as usual. Each entry has a block of
 * native memory, from which it is sent and into which it is received.
 */
export class SocketBatch {
  readonly blockBytes: number;
  /** All blocks, entry after entry. */
  readonly bytes: Buffer;
  /** The last call's by entry, as `receive` and `send` of tcp.ts return them. */
  readonly results: Int32Array;
  readonly #entriesMax: number;
  readonly #memory: NativeMemory;
  readonly #ring: IoUring | undefined;
  /** Those that receive, and after them those that send. */
  readonly #requests: Int32Array;

  constructor({ entriesMax, blockBytes }: SocketBatchOptions) {
    this.blockBytes = blockBytes;
    this.#entriesMax = entriesMax;
    this.#memory = new NativeMemory(entriesMax * blockBytes);
    this.bytes = this.#memory.bytes;
    this.results = new Int32Array(entriesMax);
    this.#ring = IoUring.open(2 * entriesMax);
    this.#requests = this.#ring?.requests ?? new Int32Array(2 * entriesMax * requestWords.count);
    for (let entry = 0; entry < entriesMax; entry++) {
      this.#prepare(entry, entry, operations.receive, withoutWaiting);
      this.#prepare(entriesMax + entry, entry, operations.send, withoutWaiting | withoutSignal);
    }
  }

  /** The kernel is entered once for many sockets. */
  get isOneCall(): boolean {
    return this.#ring !== undefined;
  }

  /** Start of an entry in `bytes`. */
  offset(entry: number): number {
    return entry * this.blockBytes;
  }

  toReceive(entry: number, fd: number): void {
    this.#requests[entry * requestWords.count + requestWords.fd] = fd;
  }

  /** @param length the first bytes of the entry's block; 0: the entry is left out */
  toSend(entry: number, fd: number, length: number): void {
    const at = (this.#entriesMax + entry) * requestWords.count;
    this.#requests[at + requestWords.fd] = fd;
    this.#requests[at + requestWords.length] = length;
  }

  /** Receives into the first `count` entries. */
  receive(count: number): void {
    this.#run(0, count);
  }

  /** Sends the first `count` entries. */
  send(count: number): void {
    this.#run(this.#entriesMax, count);
  }

  close(): void {
    this.#ring?.close();
    this.#memory.free();
  }

  #run(first: number, count: number): void {
    const ring = this.#ring;
    let isCarriedOut = 0;
    if (ring !== undefined) {
      for (let entry = 0; entry < count; entry++) {
        if (this.#length(first + entry) > 0) ring.queue(first + entry);
      }
      isCarriedOut = ring.run(this.results);
    }
    for (let entry = 0; entry < count; entry++) {
      if (this.#length(first + entry) === 0) continue;
      const isDone = isCarriedOut > 0 && this.results[entry] !== -errno.EINTR;
      isCarriedOut--;
      if (!isDone) this.results[entry] = this.#call(first + entry, entry);
    }
  }

  #call(request: number, entry: number): number {
    const fd = this.#requests[request * requestWords.count + requestWords.fd] ?? -1;
    const call = request < this.#entriesMax ? receive : send;
    return call(fd, this.#memory.address + this.offset(entry), this.#length(request));
  }

  #length(request: number): number {
    return this.#requests[request * requestWords.count + requestWords.length] ?? 0;
  }

  #prepare(request: number, entry: number, operation: number, flags: number): void {
    const at = request * requestWords.count;
    const address = this.#memory.address + this.offset(entry);
    this.#requests[at + requestWords.operation] = operation;
    this.#requests[at + requestWords.addressLow] = address;
    this.#requests[at + requestWords.addressHigh] = address / 2 ** 32;
    this.#requests[at + requestWords.length] = this.blockBytes;
    this.#requests[at + requestWords.flags] = flags;
    this.#requests[at + requestWords.tag] = entry;
  }
}
