import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { NativeMemory } from "@palisade/sockets/native-memory";
import type { Descriptors, EventHandler } from "@palisade/sockets/reactor";
import { SocketBatch } from "@palisade/sockets/socket-batch";
import { receive, send } from "@palisade/sockets/tcp";
import type { BandwidthShare } from "./bandwidth-share.ts";
import { blockBytes } from "./outgoing-bytes.ts";
import type { RelayMeter } from "./relay-host.ts";

/** A read of so many bytes is no small packet. */
export const packetBytes = 16 * 1_024;

/** One for all pairs of the thread: its bytes are sent or copied before the next read. */
export const buffer = new NativeMemory(blockBytes);

/** What `SideTable.state` has of a side. `interest`: bits of `epollEvents`. `set`: of `flags`. */
export const fields = { fd: 0, set: 1, interest: 2, slot: 3, count: 4 } as const;

/** Bits of a side. */
export const flags = {
  isOpen: 1,
  /** It sends no more. */
  hasEnded: 2,
  /** It was told that no more comes. */
  isShut: 4,
  /** It sends more than small packets. */
  isBulk: 8,
  /** Bytes were sent to it. */
  hasGot: 16,
  /** It has the options of a connection that lasts. */
  isTuned: 32,
  /** It was read once; twice: it lasts, and is level-triggered. */
  wasRead: 64,
  isLasting: 128,
  /** Its first byte was told of. */
  isHeard: 256,
  /** Bytes for it are kept that it has not taken, or go through a pipe. */
  isSlow: 512,
  /** Bytes of it were moved since the last deadline. */
  hasMoved: 1_024,
} as const;

/** A side that sends small packets in the game, and one that takes them. */
const senderMask = flags.isOpen | flags.hasEnded | flags.isBulk | flags.isLasting | flags.isHeard;
const sender = flags.isOpen | flags.isLasting | flags.isHeard;
const receiverMask = flags.isOpen | flags.isShut | flags.isTuned | flags.isSlow;
const receiver = flags.isOpen | flags.isTuned;

/** Events of a turn that are handled together; there are no more of them in one. */
const batchMax = 256;
/** With fewer, calls of their own cost less. */
const batchMin = 4;
/** Small packets are shorter. A longer read is followed by one with as much room as usual. */
const batchBlockBytes = 2_048;

/** The pair that takes what is no small packet. Sides are 0, the player, and 1, the backend. */
export interface SlowPath {
  readonly reactor: Pick<Descriptors, "afterEvents">;
  readonly share: BandwidthShare;
  readonly meter: RelayMeter;
  /** @param events of the side */
  ready(side: 0 | 1, events: number): void;
  /**
   * The side was read into `buffer`, and nothing of that is counted or sent.
   *
   * @param count as of `receive`
   */
  wasRead(side: 0 | 1, count: number): void;
  /** The first `count` bytes of `buffer` are counted. @param sent as of `send`, to the other side */
  wasSent(side: 0 | 1, count: number, sent: number): void;
}

const pairsFirst = 64;

/**
 * The sides of a thread's relayed players by number; those of a pair are neighbours. All that a small
 * packet needs is in 32 bytes of a pair, so it is forwarded without the objects of its player: among
 * a thousand players these are in no cache of the processor, and were a thirtieth of its cost.
 */
class SideTable implements EventHandler {
  /** The first pair is never used: closed sides have its numbers. */
  state = new Int32Array(pairsFirst * 2 * fields.count).fill(-1, fields.fd, fields.fd + 1);
  readonly #slowPaths: (SlowPath | undefined)[] = [undefined];
  readonly #shares: (BandwidthShare | undefined)[] = [undefined];
  readonly #meters: (RelayMeter | undefined)[] = [undefined];
  readonly #free: number[] = [];
  /** Sides that wait for the end of the turn. */
  readonly #queue = new Int32Array(batchMax);
  #queued = 0;
  /** Results of receiving from them. */
  readonly #received = new Int32Array(batchMax);
  /** While players are relayed, once there was use for it. */
  #batch: SocketBatch | undefined;
  /** The batch is in use, and stays open when the last pair ends. */
  #isForwarding = false;

  /** @returns the number of its player; that of its backend is the next */
  add(slowPath: SlowPath, player: number, backend: number): number {
    const pair = this.#free.pop() ?? this.#slowPaths.length;
    this.#slowPaths[pair] = slowPath;
    this.#shares[pair] = slowPath.share;
    this.#meters[pair] = slowPath.meter;
    const at = pair * 2 * fields.count;
    if (at >= this.state.length) this.#grow();
    this.state.set([player, flags.isOpen, 0, -1, backend, flags.isOpen, 0, -1], at);
    return 2 * pair;
  }

  /** @param number of the player */
  remove(number: number): void {
    const pair = number >> 1;
    this.#slowPaths[pair] = this.#shares[pair] = this.#meters[pair] = undefined;
    this.#free.push(pair);
    if (!this.#isForwarding) this.#closeUnused();
  }

  ready(events: number, number: number): void {
    const slowPath = this.#slowPaths[number >> 1];
    if (this.#queued === batchMax || !this.#isPacket(events, number)) {
      slowPath?.ready((number & 1) as 0 | 1, events);
      return;
    }
    if (this.#queued === 0) slowPath?.reactor.afterEvents(this.#turnEnded);
    this.#queue[this.#queued] = number;
    this.#queued++;
  }

  readonly #turnEnded = (): void => {
    const count = this.#queued;
    this.#queued = 0;
    if (count >= batchMin) {
      this.#batch ??= new SocketBatch({ entriesMax: batchMax, blockBytes: batchBlockBytes });
      if (this.#batch.isOneCall) {
        this.#isForwarding = true;
        try {
          this.#forwardAll(count, this.#batch);
        } finally {
          this.#isForwarding = false;
        }
        this.#closeUnused();
        return;
      }
    }
    for (let entry = 0; entry < count; entry++) this.#forwardOne(this.#queue[entry] ?? 0);
  };

  /** The side seems to have sent a small packet, which the other one takes. */
  #isPacket(events: number, number: number): boolean {
    const { state } = this;
    const from = number * fields.count;
    const to = from ^ fields.count;
    const share = this.#shares[number >> 1];
    return (
      events === epollEvents.readable &&
      state[from + fields.interest] === epollEvents.readable &&
      ((state[from + fields.set] ?? 0) & senderMask) === sender &&
      ((state[to + fields.set] ?? 0) & receiverMask) === receiver &&
      share !== undefined &&
      share.tokens > share.ample
    );
  }

  #forwardOne(number: number): void {
    // An event before this one may have changed it.
    const share = this.#shares[number >> 1];
    if (share === undefined || !this.#isPacket(epollEvents.readable, number)) return;
    const count = receive(this.#fd(number), buffer.address, share.readMax);
    const side = (number & 1) as 0 | 1;
    if (count <= 0 || count >= packetBytes) {
      this.#slowPaths[number >> 1]?.wasRead(side, count);
      return;
    }
    this.#count(number, count);
    const sent = send(this.#fd(number ^ 1), buffer.address, count);
    if (sent !== count) this.#slowPaths[number >> 1]?.wasSent(side, count, sent);
  }

  /** @param count sides of `#queue` */
  #forwardAll(count: number, batch: SocketBatch): void {
    const queue = this.#queue;
    let entries = 0;
    for (let index = 0; index < count; index++) {
      const number = queue[index] ?? 0;
      const share = this.#shares[number >> 1];
      if (share === undefined || !this.#isPacket(epollEvents.readable, number)) continue;
      // Others of the shield get no more than what is left.
      share.tokens -= batchBlockBytes;
      batch.toReceive(entries, this.#fd(number));
      queue[entries] = number;
      entries++;
    }
    batch.receive(entries);
    for (let entry = 0; entry < entries; entry++) {
      const number = queue[entry] ?? 0;
      const received = batch.results[entry] ?? 0;
      const isPacket = received > 0 && received < batchBlockBytes;
      const share = this.#shares[number >> 1];
      if (share !== undefined) share.tokens += batchBlockBytes;
      if (isPacket) this.#count(number, received);
      batch.toSend(entry, this.#fd(number ^ 1), isPacket ? received : 0);
      this.#received[entry] = received;
    }
    batch.send(entries);
    // Parts of packets first: a side that has ended gets nothing more.
    this.#finish(entries, batch, true);
    this.#finish(entries, batch, false);
  }

  /** @param isPart for entries of which a part was sent, or else for those that are no small packets */
  #finish(entries: number, batch: SocketBatch, isPart: boolean): void {
    for (let entry = 0; entry < entries; entry++) {
      const received = this.#received[entry] ?? 0;
      const sent = batch.results[entry] ?? 0;
      const isPacket = received > 0 && received < batchBlockBytes;
      const isDone = isPacket && sent === received;
      if (isDone || isPart !== (isPacket && (sent >= 0 || sent === -errno.EAGAIN))) continue;
      const number = this.#queue[entry] ?? 0;
      const isOpen = this.#has(number, flags.isOpen) && this.#has(number ^ 1, flags.isOpen);
      // Bytes of a pair of which the one side is gone have no way to go.
      if (!isOpen) continue;
      const side = (number & 1) as 0 | 1;
      const at = batch.offset(entry);
      if (received > 0) buffer.bytes.set(batch.bytes.subarray(at, at + received));
      const slowPath = this.#slowPaths[number >> 1];
      if (isPacket) slowPath?.wasSent(side, received, sent);
      else slowPath?.wasRead(side, received);
      // More may wait than fits into a block: the next read finds out whether it is bulk.
      if (received === batchBlockBytes) this.#set(number, flags.isBulk);
    }
  }

  #fd(number: number): number {
    return this.state[number * fields.count + fields.fd] ?? -1;
  }

  #has(number: number, flag: number): boolean {
    return ((this.state[number * fields.count + fields.set] ?? 0) & flag) !== 0;
  }

  #set(number: number, flag: number): void {
    const at = number * fields.count + fields.set;
    this.state[at] = (this.state[at] ?? 0) | flag;
  }

  /** The side has sent bytes that go on. */
  #count(number: number, bytes: number): void {
    this.#set(number, flags.hasMoved);
    const pair = number >> 1;
    const share = this.#shares[pair];
    const meter = this.#meters[pair];
    if (share !== undefined) share.tokens -= bytes;
    if (meter === undefined) return;
    if ((number & 1) === 0) meter.bytesUp += bytes;
    else meter.bytesDown += bytes;
  }

  #closeUnused(): void {
    if (this.#free.length < this.#slowPaths.length - 1) return;
    this.#batch?.close();
    this.#batch = undefined;
  }

  #grow(): void {
    const larger = new Int32Array(this.state.length * 2);
    larger.set(this.state);
    this.state = larger;
  }
}

/** The one of this thread. */
export const sideTable = new SideTable();
