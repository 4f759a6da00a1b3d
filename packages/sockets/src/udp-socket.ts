import { closeDescriptor, opened, openedOrThrow } from "./descriptors.ts";
import { errno, succeeded } from "./errno.ts";
import { libc } from "./libc.ts";
import { batchEntry, controlMessage, messageHeader } from "./message-layout.ts";
import { NativeMemory } from "./native-memory.ts";
import { SocketAddresses, socketAddressBytes, type InternetAddress } from "./socket-address.ts";
import { setOption } from "./tcp.ts";
import { closeOnExec, families, familyOf, nonBlocking, withoutSignal } from "./socket-flags.ts";

const datagram = 2;
const vectorBytes = 16;
const udpLevel = 17;
const segmentName = 103;

/** MSG_TRUNC: asks recv(2) for a datagram's whole length, and says of a received one that it was longer. */
const cutShort = 0x20;
/** Fields of the structures in words: every relayed datagram reads and writes some. */
const entryWords = batchEntry.bytes / 4;
const lengthWord = batchEntry.length / 4;
const flagsWord = messageHeader.flags / 4;
const nameLengthWord = messageHeader.nameLength / 4;
const controlLengthWord = messageHeader.controlLength / 4;
const vectorWords = vectorBytes / 4;
const vectorLengthWord = 2;

function wordsOf({ bytes: { buffer, byteOffset, byteLength } }: NativeMemory): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

export interface DatagramBatchOptions {
  /** Datagrams in a batch. */
  readonly datagramsMax: number;
  /** Bytes of a datagram; of a longer one the rest is cut off, and `isCut` says so. */
  readonly datagramBytesMax: number;
}

/**
 * Room for datagrams that one call receives or sends (recvmmsg(2), sendmmsg(2)). Their bytes are in
 * native memory, entry after entry.
 */
export class DatagramBatch {
  readonly datagramsMax: number;
  readonly datagramBytesMax: number;
  /** Senders of received datagrams, receivers of sent ones. */
  readonly addresses: SocketAddresses;
  readonly bytes: Buffer;
  readonly #entries: NativeMemory;
  readonly #control: NativeMemory;

  constructor({ datagramsMax, datagramBytesMax }: DatagramBatchOptions) {
    this.datagramsMax = datagramsMax;
    this.datagramBytesMax = datagramBytesMax;
    this.addresses = new SocketAddresses(datagramsMax);
    const payload = new NativeMemory(datagramsMax * datagramBytesMax);
    this.bytes = payload.bytes;
    this.#payloadAddress = payload.address;
    this.#changedEntries = datagramsMax;
    const vectors = new NativeMemory(datagramsMax * vectorBytes);
    this.#entries = new NativeMemory(datagramsMax * batchEntry.bytes);
    this.#control = new NativeMemory(datagramsMax * segmentControlBytes);
    for (let entry = 0; entry < datagramsMax; entry += 1) {
      vectors.setPointer(entry * vectorBytes, payload.address + entry * datagramBytesMax);
      vectors.setUint64(entry * vectorBytes + 8, datagramBytesMax);
      const at = entry * batchEntry.bytes;
      this.#entries.setPointer(at + messageHeader.name, this.addresses.address(entry));
      this.#entries.setPointer(at + messageHeader.vector, vectors.address + entry * vectorBytes);
      this.#entries.setUint64(at + messageHeader.vectorLength, 1);
    }
    this.#vectorWords = wordsOf(vectors);
    this.#entryWords = wordsOf(this.#entries);
  }

  readonly #vectorWords: Uint32Array;
  readonly #entryWords: Uint32Array;
  readonly #payloadAddress: number;
  /** Only entries below this differ from what recvmmsg(2) wants. */
  #changedEntries: number;

  /** Start of an entry in `bytes`. */
  offset(entry: number): number {
    return entry * this.datagramBytesMax;
  }

  /** The same in native memory, e.g. to send a single datagram by `send` of tcp.ts. */
  addressOf(entry: number): number {
    return this.#payloadAddress + entry * this.datagramBytesMax;
  }

  /** Bytes of a received datagram. */
  length(entry: number): number {
    return this.#entryWords[entry * entryWords + lengthWord] ?? 0;
  }

  /** Whether a received datagram was longer than the room for it. */
  isCut(entry: number): boolean {
    return ((this.#entryWords[entry * entryWords + flagsWord] ?? 0) & cutShort) !== 0;
  }

  /**
   * Prepares an entry for sending: its bytes and its address are in place.
   *
   * @param segmentBytes the kernel cuts the bytes into datagrams of this length (UDP_SEGMENT, udp(7));
   *   0 sends them as one
   */
  prepare(entry: number, length: number, segmentBytes = 0): void {
    this.#prepare(entry, length, this.addresses.sizeOf(entry));
    if (segmentBytes === 0) return;
    const at = entry * batchEntry.bytes;
    const control = entry * segmentControlBytes;
    this.#control.setUint64(control, controlMessage.headerBytes + 2);
    this.#control.view.setInt32(control + 8, udpLevel, true);
    this.#control.view.setInt32(control + 12, segmentName, true);
    this.#control.view.setUint16(control + 16, segmentBytes, true);
    this.#entries.setPointer(at + messageHeader.control, this.#control.address + control);
    this.#entries.setUint64(at + messageHeader.controlLength, segmentControlBytes);
  }

  /** Prepares an entry for a connected socket (`connectUdp`), whose peer gets it: only its bytes are in place. */
  prepareForPeer(entry: number, length: number): void {
    this.#prepare(entry, length, 0);
  }

  #prepare(entry: number, length: number, nameLength: number): void {
    this.#write(entry, length, nameLength);
    if (entry >= this.#changedEntries) this.#changedEntries = entry + 1;
  }

  /**
   * recvmmsg(2) without waiting.
   *
   * @param first the entry of the first datagram
   * @param datagrams how many to take at most; no more than the entries from `first` on
   * @returns the datagrams, or a negated error number. EAGAIN: none are there. ECONNREFUSED: an
   *   earlier datagram was answered by ICMP; the next call goes on.
   * @throws RangeError for entries that the batch does not have
   */
  receive(fd: number, first = 0, datagrams = this.datagramsMax - first): number {
    if (first < 0 || first + datagrams > this.datagramsMax) {
      throw new RangeError(`${datagrams} datagrams from entry ${first}`);
    }
    const end = Math.min(first + datagrams, this.#changedEntries);
    for (let entry = first; entry < end; entry += 1) this.#makeReceivable(entry);
    if (end === this.#changedEntries && first < end) this.#changedEntries = first;
    const at = this.#entries.address + first * batchEntry.bytes;
    const count = libc.recvmmsg(fd, at, datagrams, 0, 0);
    if (count >= 0) {
      this.#changedEntries = Math.max(this.#changedEntries, first + count);
      return count;
    }
    const code = libc.errno();
    return code === errno.EINTR ? this.receive(fd, first, datagrams) : -code;
  }

  /**
   * recv(2) of one datagram without waiting and without its sender: cheaper than `receive`, which also
   * looks for a second one.
   *
   * @returns its bytes; more than `datagramBytesMax` if the rest was cut off; or a negated error number
   *   as of `receive`
   */
  receiveOne(fd: number, entry: number): number {
    const count = libc.recv(fd, this.addressOf(entry), this.datagramBytesMax, cutShort);
    if (count >= 0) return count;
    const code = libc.errno();
    return code === errno.EINTR ? this.receiveOne(fd, entry) : -code;
  }

  #makeReceivable(entry: number): void {
    this.#write(entry, this.datagramBytesMax, socketAddressBytes);
  }

  /** Lengths are far below 2^32: the upper halves of the 64-bit ones stay 0. */
  #write(entry: number, length: number, nameLength: number): void {
    const at = entry * entryWords;
    this.#vectorWords[entry * vectorWords + vectorLengthWord] = length;
    this.#entryWords[at + nameLengthWord] = nameLength;
    this.#entryWords[at + controlLengthWord] = 0;
  }

  /**
   * sendmmsg(2) of prepared entries.
   *
   * @returns how many were sent, fewer than `count` if the kernel's buffer is full or the next one
   *   fails; if the first one fails, a negated error number. EAGAIN, ENOBUFS: no room now.
   *   EMSGSIZE: longer than the path takes. ENETUNREACH, EHOSTUNREACH: no way there.
   */
  send(fd: number, first: number, count: number): number {
    const at = this.#entries.address + first * batchEntry.bytes;
    const sent = libc.sendmmsg(fd, at, count, withoutSignal);
    if (sent >= 0) return sent;
    const code = libc.errno();
    return code === errno.EINTR ? this.send(fd, first, count) : -code;
  }
}

const segmentControlBytes = 24;

export interface UdpOptions extends InternetAddress {
  readonly reusePort?: boolean;
  /** Serve IPv4 by the same IPv6 socket. */
  readonly dualStack?: boolean;
  /** Bytes of the kernel's buffers; it caps and doubles them (socket(7)). */
  readonly bufferBytes?: number;
}

/**
 * A UDP socket that does not block, bound to an address; port 0 takes a free one.
 *
 * @throws SystemCallError `EADDRINUSE`, `EADDRNOTAVAIL`, `EACCES`, `EMFILE`
 */
export function bindUdp(options: UdpOptions): number {
  const family = familyOf(options.ip);
  const type = datagram | nonBlocking | closeOnExec;
  const fd = openedOrThrow("socket", libc.socket(family, type, 0));
  try {
    if (options.reusePort === true) setOption(fd, "reusePort", 1);
    if (family === families.ipv6) setOption(fd, "ipv6Only", options.dualStack === true ? 0 : 1);
    if (options.bufferBytes !== undefined) {
      setOption(fd, "receiveBuffer", options.bufferBytes);
      setOption(fd, "sendBuffer", options.bufferBytes);
    }
    const length = address.write(options);
    if (libc.bind(fd, address.address(), length) < 0) succeeded("bind", -libc.errno());
    return fd;
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}

const address = new SocketAddresses();

/**
 * connect(2) of a UDP socket: only datagrams of that peer arrive, and ICMP errors are reported.
 *
 * @returns 0, or a negated error number
 */
export function connectUdp(fd: number, peer: InternetAddress): number {
  const length = address.write(peer);
  return libc.connect(fd, address.address(), length) < 0 ? -libc.errno() : 0;
}

/**
 * A UDP socket of a port of its own that does not block and exchanges datagrams with this peer alone.
 *
 * @returns the socket, or a negated error number: EMFILE, ENFILE, ENETUNREACH, EADDRNOTAVAIL
 */
export function openUdp(peer: InternetAddress): number {
  const type = datagram | nonBlocking | closeOnExec;
  const fd = opened("socket", libc.socket(familyOf(peer.ip), type, 0));
  if (fd < 0) return -libc.errno();
  const result = connectUdp(fd, peer);
  if (result === 0) return fd;
  closeDescriptor(fd);
  return result;
}
