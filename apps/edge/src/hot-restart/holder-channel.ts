import { closeDescriptor, duplicate } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { UnixChannel } from "@palisade/sockets/unix-channel";
import type { Descriptors, EventHandler, Slot } from "@palisade/sockets/reactor";
import {
  decodeMessage,
  encodeMessage,
  type FromHolder,
  holderMessageMax,
  type ToHolder,
} from "./holder-messages.ts";

export interface HolderChannelEvents {
  /** @param descriptors belong to the receiver; `message` is undefined for another protocol's */
  readonly onMessage: (message: unknown, descriptors: readonly number[]) => void;
  /** The other side is gone. Not called after `close`. */
  readonly onEnd: () => void;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly descriptors: readonly number[];
}

/** One end of the line between an edge and the process that holds its listening sockets. */
export class HolderChannel implements EventHandler {
  readonly #reactor: Descriptors;
  readonly #channel: UnixChannel;
  readonly #events: HolderChannelEvents;
  readonly #slot: Slot;
  /** Messages for which the kernel had no room, in order. */
  #waiting: Waiting[] = [];
  #isClosed = false;

  /** @param fd which belongs to it from now on */
  constructor(reactor: Descriptors, fd: number, events: HolderChannelEvents) {
    this.#reactor = reactor;
    this.#channel = new UnixChannel(fd, holderMessageMax);
    this.#events = events;
    this.#slot = reactor.add(fd, epollEvents.readable, this);
  }

  /** The descriptors stay the caller's. */
  send(message: ToHolder | FromHolder, descriptors: readonly number[] = []): void {
    if (this.#isClosed) return;
    const bytes = encodeMessage(message);
    if (this.#waiting.length === 0 && this.#sendNow(bytes, descriptors)) return;
    // By then the caller may have closed its own.
    this.#waiting.push({ bytes, descriptors: descriptors.map(duplicate) });
    this.#reactor.change(this.#slot, this.#channel.fd, epollEvents.readable | epollEvents.writable);
  }

  ready(events: number): void {
    if ((events & epollEvents.writable) !== 0) this.#flush();
    while (!this.#isClosed) {
      const message = this.#channel.receive();
      if (message === -errno.EAGAIN) return;
      if (message === null || typeof message === "number") {
        this.close();
        this.#events.onEnd();
        return;
      }
      this.#events.onMessage(decodeMessage(message.bytes), message.descriptors);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { descriptors } of this.#waiting.splice(0)) descriptors.forEach(closeDescriptor);
    this.#reactor.remove(this.#slot);
    this.#channel.close();
  }

  #flush(): void {
    for (let next = this.#waiting[0]; next !== undefined; [next] = this.#waiting) {
      if (!this.#sendNow(next.bytes, next.descriptors)) return;
      next.descriptors.forEach(closeDescriptor);
      this.#waiting.shift();
    }
    this.#reactor.change(this.#slot, this.#channel.fd, epollEvents.readable);
  }

  /** @returns false if it has to wait; the end of the other side is an event of its own */
  #sendNow(bytes: Buffer, descriptors: readonly number[]): boolean {
    const result = this.#channel.send(bytes, descriptors);
    return result !== -errno.EAGAIN && result !== -errno.ENOBUFS;
  }
}
