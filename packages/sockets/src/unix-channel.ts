import { closeDescriptor, opened } from "./descriptors.ts";
import { errno, succeeded } from "./errno.ts";
import { libc } from "./libc.ts";
import { controlMessage, messageHeader } from "./message-layout.ts";
import { NativeMemory } from "./native-memory.ts";
import { closeOnExec, families, nonBlocking, withoutSignal } from "./socket-flags.ts";

const sequencedPackets = 5;
const closeReceivedOnExec = 0x4000_0000;
const truncatedControl = 0x8;

/** Descriptors in one message; the kernel takes up to 253. */
export const descriptorsMax = 64;

export interface ChannelMessage {
  /** Valid until the next `receive`. */
  readonly bytes: Buffer;
  /**
   * Owned by the receiver from now on. None if this process could not open all of them: those that
   * did arrive are closed.
   */
  readonly descriptors: readonly number[];
}

/** Two connected ends. One is given to another process, by its number or in a message. */
export function createChannelPair(): [number, number] {
  const pair = new NativeMemory(8);
  const result = libc.socketpair(
    families.unix,
    sequencedPackets | nonBlocking | closeOnExec,
    0,
    pair.address,
  );
  if (result < 0) succeeded("socketpair", -libc.errno());
  return [
    opened("socketpair", pair.view.getInt32(0, true)),
    opened("socketpair", pair.view.getInt32(4, true)),
  ];
}

/**
 * One end of a connection between processes that carries whole messages and, with them, open
 * descriptors (SCM_RIGHTS, unix(7)). It does not block.
 */
export class UnixChannel {
  readonly fd: number;
  readonly #messageMax: number;
  readonly #header = new NativeMemory(messageHeader.bytes);
  readonly #vector = new NativeMemory(16);
  readonly #control = new NativeMemory(controlMessage.space(descriptorsMax));
  readonly #buffer: NativeMemory;

  /** @param messageMax bytes of a message; a longer one cannot be sent, and none longer arrives whole */
  constructor(fd: number, messageMax: number) {
    this.fd = fd;
    this.#messageMax = messageMax;
    this.#buffer = new NativeMemory(messageMax);
    this.#vector.setPointer(0, this.#buffer.address);
    this.#header.setPointer(messageHeader.vector, this.#vector.address);
    this.#header.setUint64(messageHeader.vectorLength, 1);
    this.#header.setPointer(messageHeader.control, this.#control.address);
  }

  /**
   * Sends a message. The descriptors stay open here as well: the sender closes its own.
   *
   * @returns 0, or a negated error number. EAGAIN: the receiver is behind, so nothing was sent.
   *   EPIPE, ECONNRESET: the other end is gone. ETOOMANYREFS: too many descriptors are under way.
   * @throws RangeError for more bytes or descriptors than a message can have
   */
  send(bytes: Uint8Array, descriptors: readonly number[] = []): number {
    this.#buffer.bytes.set(bytes.subarray(0, this.#messageMax));
    return this.sendWritten(bytes.length, descriptors);
  }

  /** Room for a message to be sent with `sendWritten`; `receive` uses it as well. */
  get room(): Buffer {
    return this.#buffer.bytes;
  }

  /** As `send`, with the message in `room`. */
  sendWritten(length: number, descriptors: readonly number[]): number {
    if (length > this.#messageMax || descriptors.length > descriptorsMax) {
      throw new RangeError(`${length} bytes and ${descriptors.length} descriptors`);
    }
    this.#vector.setUint64(8, length);
    const controlBytes = controlMessage.writeRights(this.#control, descriptors);
    this.#header.setUint64(messageHeader.controlLength, controlBytes);
    const count = libc.sendmsg(this.fd, this.#header.address, withoutSignal);
    if (count >= 0) return 0;
    const code = libc.errno();
    return code === errno.EINTR ? this.sendWritten(length, descriptors) : -code;
  }

  /**
   * The next message.
   *
   * @returns null at the end of the other side, or a negated error number. EAGAIN: none is there.
   */
  receive(): ChannelMessage | number | null {
    this.#vector.setUint64(8, this.#messageMax);
    this.#header.setUint64(messageHeader.controlLength, this.#control.bytes.length);
    const count = libc.recvmsg(this.fd, this.#header.address, closeReceivedOnExec);
    if (count < 0) {
      const code = libc.errno();
      return code === errno.EINTR ? this.receive() : -code;
    }
    const controlBytes = this.#header.view.getUint32(messageHeader.controlLength, true);
    const descriptors = controlMessage.readRights(this.#control, controlBytes);
    for (const fd of descriptors) opened("recvmsg", fd);
    if ((this.#header.view.getUint32(messageHeader.flags, true) & truncatedControl) !== 0) {
      for (const fd of descriptors.splice(0)) closeDescriptor(fd);
    }
    if (count === 0 && descriptors.length === 0) return null;
    return { bytes: this.#buffer.bytes.subarray(0, count), descriptors };
  }

  close(): void {
    closeDescriptor(this.fd);
  }
}
