import { DatagramBatch } from "@palisade/sockets/udp-socket";
import type { SocketAddresses } from "@palisade/sockets/socket-address";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { threadReactor } from "@palisade/sockets/reactor";

/** Datagrams of one system call. */
const batchMax = 64;
/** Longer than any datagram of RakNet, whose MTU is at most 1,492. */
const bytesMax = 2_048;
/** Datagrams of one backend's socket in a turn; the others are served in between. */
export const downBurst = 8;

/**
 * Memory of one thread for the datagrams that it handles now. Nothing in it is kept beyond the event
 * that it was filled for.
 */
export class DatagramRoom {
  /** Received on a port of the edge. */
  readonly front = new DatagramBatch({ datagramsMax: batchMax, datagramBytesMax: bytesMax });
  /** Received from a backend. */
  readonly backend = new DatagramBatch({ datagramsMax: batchMax, datagramBytesMax: bytesMax });
  /** Received from backends for players, who get them at the end of the turn: one call for many players. */
  readonly down = new DatagramBatch({ datagramsMax: batchMax, datagramBytesMax: bytesMax });
  /** Prepared entries of `down`, and the port that sends them. */
  #downFilled = 0;
  #downFd = -1;
  readonly #reactor = threadReactor();
  readonly #answers = new DatagramBatch({ datagramsMax: batchMax, datagramBytesMax: bytesMax });
  readonly #single = new DatagramBatch({ datagramsMax: 1, datagramBytesMax: bytesMax });
  #waiting = 0;

  /**
   * @param fd the port that is to send what is received next
   * @returns the entry of `down` from which on `downBurst` are free
   */
  beginDown(fd: number): number {
    if (this.#downFd !== fd || this.#downFilled > batchMax - downBurst) this.flushDown();
    this.#downFd = fd;
    return this.#downFilled;
  }

  /** @param filled entries of `down` that are prepared, with those that waited before */
  endDown(filled: number): void {
    if (this.#downFilled === 0 && filled > 0) this.#reactor.later(this.#flushLater);
    this.#downFilled = filled;
  }

  /** Also before a port is closed, whose descriptor may then be another socket's. */
  flushDown(): void {
    sendRun(this.down, this.#downFd, 0, this.#downFilled);
    this.#downFilled = 0;
  }

  readonly #flushLater = (): void => this.flushDown();

  /** Answers the sender of a received datagram, with the next `flush`; nothing that is too long. */
  answer(fd: number, to: SocketAddresses, entry: number, bytes: Uint8Array): void {
    if (bytes.length > bytesMax) return;
    const index = this.#waiting;
    this.#answers.addresses.copyFrom(to, entry, index);
    this.#answers.bytes.set(bytes, this.#answers.offset(index));
    this.#answers.prepare(index, bytes.length);
    this.#waiting += 1;
    if (this.#waiting === batchMax) this.flush(fd);
  }

  /** Sends what waits. The kernel drops what it has no room for, as it does on any network. */
  flush(fd: number): void {
    sendRun(this.#answers, fd, 0, this.#waiting);
    this.#waiting = 0;
  }

  /**
   * Sends to the peer of a connected socket.
   *
   * @returns 1, or a negated error number
   */
  toPeer(fd: number, ...parts: readonly Uint8Array[]): number {
    let length = 0;
    for (const part of parts) {
      if (length + part.length > bytesMax) return 0;
      this.#single.bytes.set(part, length);
      length += part.length;
    }
    this.#single.prepareForPeer(0, length);
    return this.#single.send(fd, 0, 1);
  }
}

/** The bytes of a received datagram, in place: they change with the next call that receives. */
export function bytesOf(batch: DatagramBatch, entry: number): Buffer {
  const start = batch.offset(entry);
  return batch.bytes.subarray(start, start + batch.length(entry));
}

const scratch = new Uint8Array(16);
const mappedBytes = 12;

/** The IPv4 address of an IPv4-mapped one. */
export function endpointOf(addresses: SocketAddresses, entry: number): Endpoint {
  const length = addresses.copyIp(scratch, entry);
  const port = addresses.port(entry);
  if (length === 4) return { ip: scratch.slice(0, 4), port };
  let isMapped = scratch[10] === 0xff && scratch[11] === 0xff;
  for (let index = 0; index < 10 && isMapped; index += 1) isMapped = scratch[index] === 0;
  return { ip: isMapped ? scratch.slice(mappedBytes) : scratch.slice(), port };
}

/** Sends `count` received datagrams from `first` on, whose entries are prepared. */
export function sendRun(batch: DatagramBatch, fd: number, first: number, count: number): void {
  let at = first;
  const end = first + count;
  while (at < end) {
    const sent = batch.send(fd, at, end - at);
    // The first one cannot be sent: the others still may.
    at += sent > 0 ? sent : 1;
  }
}
