import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import { connectResult, connectTcp } from "@palisade/sockets/tcp";
import { type Connection, TcpConnection } from "#src/reactor/tcp-connection.ts";
import type { EventHandler, Slot } from "#src/reactor/reactor.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { Expiring, TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { FdBudget } from "#src/admission/fd-budget.ts";

/** One address gets this long to answer. */
const attemptMs = 2_500;

/** Why there is no connection, for callers that report it. */
export type DialFailure = "unresolved" | "forbidden" | "refused" | "timeout" | "no_room";

export type DialResult =
  | { readonly kind: "connected"; readonly socket: Connection }
  | { readonly kind: DialFailure };

export interface ConnectDeps {
  readonly wheel: TimerWheel;
  readonly fds: FdBudget;
}

/** Connects to one address, with one deadline. */
export class ConnectAttempt implements EventHandler, Expiring {
  readonly #deps: ConnectDeps;
  readonly #onResult: (result: DialResult) => void;
  readonly #reactor = threadReactor();
  readonly #remote: InternetAddress;
  #fd = -1;
  #slot: Slot = -1;
  place: Expiring["place"] = undefined;

  /** @param onResult called once unless the attempt is aborted, perhaps before `start` returns */
  constructor(deps: ConnectDeps, remote: InternetAddress, onResult: (result: DialResult) => void) {
    this.#deps = deps;
    this.#remote = remote;
    this.#onResult = onResult;
  }

  start(): void {
    if (!this.#deps.fds.tryTake()) {
      this.#onResult({ kind: "no_room" });
      return;
    }
    const fd = connectTcp(this.#remote);
    if (fd < 0) {
      this.#fail(fd);
      return;
    }
    this.#fd = fd;
    try {
      this.#slot = this.#reactor.add(fd, epollEvents.writable, this);
    } catch {
      // The kernel has no memory for another connection.
      this.#close();
      this.#fail(-errno.ENOMEM);
      return;
    }
    this.#deps.wheel.schedule(this, attemptMs);
  }

  ready(events: number): void {
    const hasFailed = (events & (epollEvents.error | epollEvents.hangUp)) !== 0;
    const result = hasFailed ? connectResult(this.#fd) : 0;
    this.#leave();
    if (result !== 0) {
      this.#close();
      this.#fail(result);
      return;
    }
    const { fds } = this.#deps;
    const socket = new TcpConnection(this.#reactor, this.#fd, this.#remote, () => fds.release());
    this.#onResult({ kind: "connected", socket });
  }

  expire(): void {
    this.#leave();
    this.#close();
    this.#fail(-errno.ETIMEDOUT);
  }

  /** Gives up without a result. */
  abort(): void {
    if (this.#slot < 0) return;
    this.#leave();
    this.#close();
    this.#deps.fds.release();
  }

  #leave(): void {
    this.#deps.wheel.cancel(this);
    this.#reactor.detach(this.#slot, this.#fd);
    this.#slot = -1;
  }

  #close(): void {
    closeDescriptor(this.#fd);
  }

  /** @param result a negated error number */
  #fail(result: number): void {
    this.#deps.fds.release();
    this.#onResult({ kind: failureOf(result) });
  }
}

/** The backend refuses the connection; other errors mean that it is gone or unreachable. */
function failureOf(result: number): DialFailure {
  if ([-errno.EMFILE, -errno.ENFILE, -errno.ENOMEM].includes(result)) return "no_room";
  return result === -errno.ECONNREFUSED || result === -errno.ECONNRESET ? "refused" : "timeout";
}
