import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { createChannelPair, descriptorsMax, UnixChannel } from "@palisade/sockets/unix-channel";
import type { EventHandler, Slot } from "#src/reactor/reactor.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import {
  bytesOfPlayer,
  type HandedPlayer,
  playerMessageMax,
  writePlayer,
} from "./player-message.ts";
import type { EndDescriptors } from "./relay-host.ts";

interface Waiting {
  readonly player: HandedPlayer;
  readonly ends: EndDescriptors;
  readonly onSent: (isSent: boolean) => void;
}

const playersPerMessage = descriptorsMax / 2;

/**
 * An edge's end of the channel to one relay process. Players go out in order, those of one turn of the
 * reactor together; while the process is behind, they wait here.
 */
export class PlayerSender implements EventHandler {
  readonly #channel: UnixChannel;
  readonly #reactor = threadReactor();
  /** The other end, for the process that is to be started. */
  readonly childFd: number;
  #waiting: Waiting[] = [];
  #slot: Slot = -1;
  #isDue = false;
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
   * @param onSent called later, with false if the process is gone
   */
  send(player: HandedPlayer, ends: EndDescriptors, onSent: (isSent: boolean) => void): void {
    this.#waiting.push({ player, ends, onSent });
    if (this.#isDue || this.#slot >= 0) return;
    this.#isDue = true;
    this.#reactor.later(() => {
      this.#isDue = false;
      this.#flush();
    });
  }

  ready(): void {
    this.#flush();
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
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      const result = this.#isClosed ? -errno.EPIPE : this.#sendBatch(batch);
      if (result === -errno.EAGAIN || result === -errno.ENOBUFS) {
        this.#register();
        return;
      }
      this.#waiting.splice(0, batch.length);
      for (const sent of batch) finish(sent, result === 0);
    }
    this.#unregister();
  }

  /** As many as one message takes, and one at least. */
  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ player }, index) => {
      bytes += bytesOfPlayer(player);
      return index === playersPerMessage || (index > 0 && bytes > playerMessageMax);
    });
    return this.#waiting.slice(0, end < 0 ? undefined : end);
  }

  /** @returns as of `UnixChannel.send` */
  #sendBatch(batch: readonly Waiting[]): number {
    let length = 0;
    const descriptors: number[] = [];
    for (const { player, ends } of batch) {
      length = writePlayer(this.#channel.room, length, player);
      descriptors.push(ends.player, ends.backend);
    }
    return this.#channel.sendWritten(length, descriptors);
  }

  #register(): void {
    if (this.#slot >= 0) return;
    try {
      this.#slot = this.#reactor.add(this.#channel.fd, epollEvents.writable, this);
    } catch {
      // The kernel has no memory: these players are lost, others may have more luck.
      for (const lost of this.#waiting.splice(0)) finish(lost, false);
    }
  }

  #unregister(): void {
    if (this.#slot < 0) return;
    this.#reactor.detach(this.#slot, this.#channel.fd);
    this.#slot = -1;
  }
}

function finish({ ends, onSent }: Waiting, isSent: boolean): void {
  closeDescriptor(ends.player);
  closeDescriptor(ends.backend);
  onSent(isSent);
}
