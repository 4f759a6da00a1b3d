import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { createChannelPair, UnixChannel } from "@palisade/sockets/unix-channel";
import type { EventHandler, Slot } from "#src/reactor/reactor.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import { playerMessageMax } from "./relay-messages.ts";

interface Waiting {
  readonly message: Buffer;
  readonly descriptors: readonly number[];
  readonly onSent: (isSent: boolean) => void;
}

/**
 * A front's end of the channel to one relay process. Players go out in order; while the process is
 * behind, they wait here.
 */
export class PlayerSender implements EventHandler {
  readonly #channel: UnixChannel;
  readonly #reactor = threadReactor();
  /** The other end, for the process that is to be started. */
  readonly childFd: number;
  #waiting: Waiting[] = [];
  #slot: Slot = -1;
  #isClosed = false;

  /** @throws SystemCallError `EMFILE`, `ENFILE` */
  constructor() {
    const [own, other] = createChannelPair();
    this.#channel = new UnixChannel(own, playerMessageMax);
    this.childFd = other;
  }

  /** The process has the other end. */
  started(): void {
    closeDescriptor(this.childFd);
  }

  /** Players are still on their way. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Sends a player and closes the descriptors, which are the process's from then on.
   *
   * @param onSent called with false if the process is gone; perhaps before this returns
   */
  send(message: Buffer, descriptors: readonly number[], onSent: (isSent: boolean) => void): void {
    this.#waiting.push({ message, descriptors, onSent });
    if (this.#waiting.length === 1) this.#flush();
  }

  ready(): false {
    this.#flush();
    return false;
  }

  /** Players that have not gone out are lost. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unregister();
    this.#channel.close();
    for (const lost of this.#waiting.splice(0)) finish(lost, false);
  }

  #flush(): void {
    let next = this.#waiting[0];
    while (next !== undefined) {
      const result = this.#isClosed
        ? -errno.EPIPE
        : this.#channel.send(next.message, next.descriptors);
      if (result === -errno.EAGAIN || result === -errno.ENOBUFS) {
        this.#register();
        return;
      }
      this.#waiting.shift();
      finish(next, result === 0);
      [next] = this.#waiting;
    }
    this.#unregister();
  }

  #register(): void {
    if (this.#slot < 0) {
      this.#slot = this.#reactor.add(this.#channel.fd, epollEvents.writable, this);
    }
  }

  #unregister(): void {
    if (this.#slot < 0) return;
    this.#reactor.detach(this.#slot, this.#channel.fd);
    this.#slot = -1;
  }
}

function finish({ descriptors, onSent }: Waiting, isSent: boolean): void {
  for (const fd of descriptors) closeDescriptor(fd);
  onSent(isSent);
}
