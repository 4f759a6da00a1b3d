import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { type InternetAddress, SocketAddresses } from "@palisade/sockets/socket-address";
import { acceptTcp, boundAddress, listenTcp } from "@palisade/sockets/tcp";
import type { EventHandler, Slot } from "#src/reactor/reactor.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import { TcpConnection } from "./tcp-connection.ts";

/** Connections the kernel holds until they are accepted; it cuts this at its own limit. */
const backlog = 4_096;
/**
 * Connections of one event: after these, those that are there have their turn. Many at once would all
 * wait for their verdict, and some would be refused by the limit for one address.
 */
const acceptsPerEvent = 4;
/** If no descriptor is free, connections wait this long in the kernel. */
const pauseMs = 100;

const peer = new SocketAddresses();

export interface ListenAddress extends InternetAddress {
  readonly reusePort: boolean;
}

/** A listening socket, each of whose connections begins paused and without a listener. */
export class TcpListener implements EventHandler {
  readonly #onConnection: (connection: TcpConnection) => void;
  readonly #reactor = threadReactor();
  readonly #fd: number;
  #slot: Slot;
  #pause: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly address: InternetAddress;

  /** @throws SystemCallError if the address cannot be had */
  constructor(address: ListenAddress, onConnection: (connection: TcpConnection) => void) {
    this.#onConnection = onConnection;
    this.#fd = listenTcp({ ...address, backlog, dualStack: true });
    this.address = boundAddress(this.#fd);
    this.#slot = this.#reactor.add(this.#fd, epollEvents.readable, this);
  }

  ready(): boolean {
    let isPlain = true;
    for (let count = 0; count < acceptsPerEvent && !this.#isClosed; count++) {
      const fd = acceptTcp(this.#fd, peer);
      if (fd >= 0) {
        const connection = new TcpConnection(this.#reactor, fd, peer.read());
        this.#onConnection(connection);
        // Mostly its first bytes have come with it.
        if (!connection.readNow()) isPlain = false;
        continue;
      }
      if (fd === -errno.EMFILE || fd === -errno.ENFILE || fd === -errno.ENOMEM) this.#rest();
      // Other errors are those of one connection, which is gone.
      if (fd === -errno.EAGAIN || this.#pause !== undefined) break;
    }
    return isPlain;
  }

  /** Takes no more connections. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#pause);
    if (this.#slot >= 0) this.#reactor.remove(this.#slot);
    closeDescriptor(this.#fd);
  }

  #rest(): void {
    this.#reactor.detach(this.#slot, this.#fd);
    this.#slot = -1;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#slot = this.#reactor.add(this.#fd, epollEvents.readable, this);
    }, pauseMs);
  }
}
