import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import { connectResult, connectTcp } from "@palisade/sockets/tcp";
import { type Connection, TcpConnection } from "#src/reactor/tcp-connection.ts";
import type { EventHandler, Slot } from "#src/reactor/reactor.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { Expiring, TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { FdBudget } from "#src/rules/shared/shared-counters.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { BackendProof } from "#src/routing/backend-state.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import type { BackendAddress, BackendResolver } from "#src/resolver/backend-resolver.ts";

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

export interface BackendDialDeps extends ConnectDeps {
  readonly resolver: Pick<BackendResolver, "addresses">;
  readonly policy: DialPolicy;
}

type DialTarget = Pick<Backend, "host"> & Partial<Pick<Backend, "proof">>;

/** Connects to a backend: to each of its addresses in turn, until one answers. */
export class BackendDial {
  readonly #deps: BackendDialDeps;
  readonly #port: number;
  readonly #onResult: (result: DialResult) => void;
  #addresses: readonly BackendAddress[] = [];
  #next = 0;
  /** The game of the player, who must not be relayed to an unproven address; undefined without one. */
  #game: BackendGroup["game"] | undefined;
  #proof: BackendProof | undefined;
  /** Whether an address was left out because it is unproven. */
  isUnproven = false;
  /** The result if it were given up now. */
  failure: DialFailure = "unresolved";
  #attempt: ConnectAttempt | undefined;
  #isOver = false;

  /**
   * @param onResult called once unless the dial is aborted, perhaps before `start` returns; a failure
   *   is that of the last address that may be dialled
   */
  constructor(deps: BackendDialDeps, port: number, onResult: (result: DialResult) => void) {
    this.#deps = deps;
    this.#port = port;
    this.#onResult = onResult;
  }

  /** @param game of a player; then only proven addresses are dialled */
  start({ host, proof }: DialTarget, game?: BackendGroup["game"]): void {
    this.#game = game;
    this.#proof = proof;
    const addresses = this.#deps.resolver.addresses(host);
    if (addresses instanceof Promise) {
      // From here on it runs in Node's loop.
      void addresses.then((found) => this.#begin(found));
      threadReactor().wakeNode();
    } else this.#begin(addresses);
  }

  /** Gives up without a result. */
  abort(): void {
    this.#isOver = true;
    this.#attempt?.abort();
  }

  #begin(addresses: readonly BackendAddress[]): void {
    if (addresses.length > 0) this.failure = "forbidden";
    this.#addresses = addresses;
    this.#tryNext();
  }

  #tryNext(): void {
    if (this.#isOver) return;
    const address = this.#addresses[this.#next++];
    if (address === undefined) {
      this.#finish({ kind: this.failure });
      return;
    }
    if (!this.#deps.policy.mayDial(address.ip, this.#port)) {
      this.#tryNext();
      return;
    }
    if (this.#game !== undefined && this.#proof?.allows(this.#game, address.text) !== true) {
      this.isUnproven = true;
      this.#tryNext();
      return;
    }
    const remote = { ip: address.text, port: this.#port };
    this.failure = "timeout";
    this.#attempt = new ConnectAttempt(this.#deps, remote, (result) => {
      if (result.kind === "connected") {
        this.#finish(result);
        return;
      }
      this.failure = result.kind;
      this.#tryNext();
    });
    this.#attempt.start();
  }

  #finish(result: DialResult): void {
    this.#isOver = true;
    this.#onResult(result);
  }
}
