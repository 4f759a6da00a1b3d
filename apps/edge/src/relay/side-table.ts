import { epollEvents } from "@palisade/sockets/epoll";
import { NativeMemory } from "@palisade/sockets/native-memory";
import type { EventHandler } from "@palisade/sockets/reactor";
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

/** The pair that takes what is no small packet. Sides are 0, the player, and 1, the backend. */
export interface SlowPath {
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
  }

  ready(events: number, number: number): void {
    const side = (number & 1) as 0 | 1;
    const pair = number >> 1;
    const share = this.#shares[pair];
    const count = this.#readPacket(events, number, share);
    if (count === undefined) this.#slowPaths[pair]?.ready(side, events);
    else if (share === undefined || count <= 0 || count >= packetBytes) {
      this.#slowPaths[pair]?.wasRead(side, count);
    } else this.#forward(number, count, share);
  }

  /** @returns as of `receive`; undefined: it is no time for small packets, and nothing was read */
  #readPacket(
    events: number,
    number: number,
    share: BandwidthShare | undefined,
  ): number | undefined {
    const { state } = this;
    const from = number * fields.count;
    const to = from ^ fields.count;
    const isPlain =
      events === epollEvents.readable &&
      state[from + fields.interest] === epollEvents.readable &&
      ((state[from + fields.set] ?? 0) & senderMask) === sender &&
      ((state[to + fields.set] ?? 0) & receiverMask) === receiver;
    if (!isPlain || share === undefined || share.tokens <= share.ample) return undefined;
    return receive(state[from + fields.fd] ?? -1, buffer.address, share.readMax);
  }

  #forward(number: number, count: number, share: BandwidthShare): void {
    const { state } = this;
    const pair = number >> 1;
    const side = (number & 1) as 0 | 1;
    const from = number * fields.count;
    state[from + fields.set] = (state[from + fields.set] ?? 0) | flags.hasMoved;
    share.tokens -= count;
    const meter = this.#meters[pair];
    if (meter !== undefined) {
      if (side === 0) meter.bytesUp += count;
      else meter.bytesDown += count;
    }
    const sent = send(state[(from ^ fields.count) + fields.fd] ?? -1, buffer.address, count);
    if (sent !== count) this.#slowPaths[pair]?.wasSent(side, count, sent);
  }

  #grow(): void {
    const larger = new Int32Array(this.state.length * 2);
    larger.set(this.state);
    this.state = larger;
  }
}

/** The one of this thread. */
export const sideTable = new SideTable();
