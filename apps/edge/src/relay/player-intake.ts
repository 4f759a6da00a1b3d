import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { UnixChannel } from "@palisade/sockets/unix-channel";
import type { EventHandler, Slot } from "#src/reactor/reactor.ts";
import type { ThreadReactor } from "#src/reactor/thread-reactor.ts";
import { type HandedPlayer, playerMessageMax, readPlayers } from "./player-message.ts";
import type { EndDescriptors } from "./relay-host.ts";

/** Messages of one event: the packets of players have their turn between them. */
const messagesPerEvent = 2;

export interface PlayerIntakeEvents {
  /** Without the connections if this process could not open them. */
  readonly onPlayer: (player: HandedPlayer, ends: EndDescriptors | undefined) => void;
  /** The edge is gone, and no more players come. */
  readonly onEnd: () => void;
}

/** The channel by which an edge hands over its players. */
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

  ready(): void {
    for (let count = 0; count < messagesPerEvent; count++) {
      const message = this.#channel.receive();
      if (message === -errno.EAGAIN) return;
      if (message === null || typeof message === "number") {
        this.#end();
        return;
      }
      this.#take(message.bytes, message.descriptors);
    }
  }

  #take(bytes: Buffer, descriptors: readonly number[]): void {
    let players: readonly HandedPlayer[] = [];
    try {
      players = readPlayers(bytes);
    } catch {
      // Our edge sends no such message; the others' players play on.
    }
    const isWhole = descriptors.length === 2 * players.length;
    if (!isWhole) for (const fd of descriptors) closeDescriptor(fd);
    players.forEach((handed, index) => {
      const [player = -1, backend = -1] = descriptors.slice(2 * index, 2 * index + 2);
      this.#events.onPlayer(handed, isWhole ? { player, backend } : undefined);
    });
  }

  #end(): void {
    this.#reactor.remove(this.#slot);
    this.#channel.close();
    this.#events.onEnd();
  }
}
