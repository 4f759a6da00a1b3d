import { epollEvents } from "./epoll.ts";
import { errno } from "./errno.ts";
import { SocketAddresses } from "./socket-address.ts";
import { acceptTcp } from "./tcp.ts";
import { type EventHandler, type Slot, threadReactor } from "./reactor.ts";
import { TcpConnection } from "./tcp-connection.ts";

/**
 * Connections of one event: after these, those that are there have their turn. Many at once would all
 * wait for their verdict, and some would be refused by the limit for one address.
 */
const acceptsPerEvent = 4;
/** If no descriptor is free, connections wait this long in the kernel. */
const pauseMs = 100;
/**
 * The kernel wakes the idle thread that has waited for the socket for the longest. After this many
 * connections a thread goes to the end of that line, so that all threads have their share.
 */
const acceptsPerTurn = 8;
/** Only one of the threads and processes that watch the socket is woken for a connection. */
const events = epollEvents.readable | epollEvents.exclusive;

const peer = new SocketAddresses();

/**
 * Accepts on a listening socket that it does not own; other threads and processes may accept there as
 * well. Each connection begins paused and without a listener.
 */
export class TcpListener implements EventHandler {
  readonly #onConnection: (connection: TcpConnection) => void;
  readonly #reactor = threadReactor();
  readonly #fd: number;
  readonly #takesTurns: boolean;
  #slot: Slot = -1;
  #accepted = 0;
  #pause: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * @param takesTurns whether other threads accept there all the time
   * @throws SystemCallError
   */
  constructor(fd: number, onConnection: (connection: TcpConnection) => void, takesTurns = false) {
    this.#onConnection = onConnection;
    this.#fd = fd;
    this.#takesTurns = takesTurns;
    this.#join();
  }

  ready(): void {
    for (let count = 0; count < acceptsPerEvent && !this.#isClosed; count++) {
      const fd = acceptTcp(this.#fd, peer);
      if (fd >= 0) {
        this.#accepted++;
        const connection = new TcpConnection(this.#reactor, fd, peer.read());
        connection.firstTurn(this.#onConnection);
        continue;
      }
      if (fd === -errno.EMFILE || fd === -errno.ENFILE || fd === -errno.ENOMEM) this.#rest();
      // The port was closed, which would be reported again and again.
      else if (fd === -errno.EINVAL) this.#leave();
      // Other errors are those of one connection, which is gone.
      if (fd === -errno.EAGAIN || this.#slot < 0) break;
    }
    if (this.#takesTurns && this.#accepted >= acceptsPerTurn) this.rejoin();
  }

  /** Goes to the end of the line of threads, and hears of connections that wait. */
  rejoin(): void {
    this.#accepted = 0;
    if (this.#slot < 0) return;
    this.#leave();
    this.#tryJoin();
  }

  /** Takes no more connections; those that wait stay in the kernel. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#leave();
  }

  #join(): void {
    this.#slot = this.#reactor.add(this.#fd, events, this);
  }

  #leave(): void {
    if (this.#slot < 0) return;
    this.#reactor.detach(this.#slot, this.#fd);
    this.#slot = -1;
  }

  #rest(): void {
    this.#leave();
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#tryJoin();
    }, pauseMs);
  }

  #tryJoin(): void {
    try {
      this.#join();
    } catch {
      // The kernel has no memory for it.
      this.#rest();
    }
  }
}
