import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { UnixChannel } from "@palisade/sockets/unix-channel";
import type { EventHandler, Slot } from "#src/reactor/reactor.ts";
import type { ThreadReactor } from "#src/reactor/thread-reactor.ts";
import { decodePlayer, type PlayerMessage, playerMessageMax } from "./relay-messages.ts";

/** Messages of one event: the packets of players have their turn between them. */
const messagesPerEvent = 32;

export interface PlayerIntakeEvents {
  readonly onPlayer: (message: PlayerMessage, descriptors: readonly number[]) => void;
  /** The front is gone, and no more players come. */
  readonly onEnd: () => void;
}

/** The channel by which a front hands over its players. */
export class PlayerIntake implements EventHandler {
  readonly #reactor: ThreadReactor;
  readonly #channel: UnixChannel;
  readonly #events: PlayerIntakeEvents;
  readonly #slot: Slot;

  /** @param fd which belongs to it from now on */
  constructor(reactor: ThreadReactor, fd: number, events: PlayerIntakeEvents) {
    this.#reactor = reactor;
    this.#channel = new UnixChannel(fd, playerMessageMax);
    this.#events = events;
    this.#slot = reactor.add(fd, epollEvents.readable, this);
  }

  ready(): false {
    for (let count = 0; count < messagesPerEvent; count++) {
      const message = this.#channel.receive();
      if (message === -errno.EAGAIN) return false;
      if (message === null || typeof message === "number") {
        this.#end();
        return false;
      }
      this.#take(message.bytes, message.descriptors);
    }
    return false;
  }

  #take(bytes: Buffer, descriptors: readonly number[]): void {
    let player: PlayerMessage;
    try {
      player = decodePlayer(bytes);
    } catch {
      for (const fd of descriptors) closeDescriptor(fd);
      return;
    }
    this.#events.onPlayer(player, descriptors);
  }

  #end(): void {
    this.#reactor.remove(this.#slot);
    this.#channel.close();
    this.#events.onEnd();
  }
}
