import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import { connectAgain, connectResult, connectTcp } from "@palisade/sockets/tcp";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { type EventHandler, type Slot, threadReactor } from "@palisade/sockets/reactor";
import { type Connection, TcpConnection } from "@palisade/sockets/tcp-connection";
import type { Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import type { BackendAddress, BackendResolver } from "#src/resolver/backend-resolver.ts";
import type { BackendProof } from "#src/routing/backends.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { FdBudget } from "@palisade/shared-tables/shared-counters";
import type { Backend, BackendGroup } from "#src/shields/backend-groups.ts";

/** One address gets this long to answer. */
const attemptMs = 2_500;

/** Why there is no connection, for callers that report it. */
export type DialFailure = "unresolved" | "forbidden" | "refused" | "timeout" | "no_room";

export type DialResult =
  | { readonly kind: "connected"; readonly socket: Connection }
  | { readonly kind: DialFailure };

export interface BackendDialDeps {
  readonly wheel: TimerWheel;
  readonly fds: FdBudget;
  readonly resolver: Pick<BackendResolver, "addresses">;
  readonly policy: DialPolicy;
}

const nowhere: InternetAddress = { ip: "", port: 0 };

type DialTarget = Pick<Backend, "host"> & Partial<Pick<Backend, "proof">>;

/** Connects to a backend: to each of its addresses in turn, with a deadline each, until one answers. */
export class BackendDial implements EventHandler, Expiring {
  readonly #deps: BackendDialDeps;
  readonly #port: number;
  readonly #onResult: (result: DialResult) => void;
  readonly #reactor = threadReactor();
  #addresses: readonly BackendAddress[] = [];
  #next = 0;
  /** The game of the player, who must not be relayed to an unproven address; undefined without one. */
  #game: BackendGroup["game"] | undefined;
  #proof: BackendProof | undefined;
  readonly #mayAsk: ((address: string) => boolean) | undefined;
  /** Whether an address was left out because it is unproven. */
  isUnproven = false;
  /** The result if it were given up now. */
  failure: DialFailure = "unresolved";
  #isOver = false;
  /** The attempt under way; a slot of -1: none. */
  #remote: InternetAddress = nowhere;
  #fd = -1;
  #slot: Slot = -1;
  place: Expiring["place"] = undefined;

  /**
   * @param onResult called once unless the dial is aborted, perhaps before `start` returns; a failure
   *   is that of the last address that may be dialled
   * @param mayAsk for dials that connect no player: whether the address may be tried now
   */
  constructor(
    deps: BackendDialDeps,
    port: number,
    onResult: (result: DialResult) => void,
    mayAsk?: (address: string) => boolean,
  ) {
    this.#deps = deps;
    this.#port = port;
    this.#onResult = onResult;
    this.#mayAsk = mayAsk;
  }

  /** @param game of a player; then only proven addresses are dialled */
  start({ host, proof }: DialTarget, game?: BackendGroup["game"]): void {
    this.#game = game;
    this.#proof = proof;
    const addresses = this.#deps.resolver.addresses(host);
    if (addresses instanceof Promise) {
      // From here on it runs in Node's loop.
      void addresses.then((found) => this.#begin(found));
      this.#reactor.wakeNode();
    } else this.#begin(addresses);
  }

  /** Gives up without a result. */
  abort(): void {
    this.#isOver = true;
    if (this.#slot < 0) return;
    this.#unregister();
    closeDescriptor(this.#fd);
    this.#deps.fds.release();
  }

  /** The attempt has succeeded or failed. */
  ready(events: number): void {
    const hasFailed = (events & (epollEvents.error | epollEvents.hangUp)) !== 0;
    const result = hasFailed ? connectResult(this.#fd) : 0;
    this.#unregister();
    this.#ended(result);
  }

  expire(): void {
    this.#unregister();
    this.#ended(-errno.ETIMEDOUT);
  }

  #begin(addresses: readonly BackendAddress[]): void {
    if (addresses.length > 0) this.failure = "forbidden";
    this.#addresses = addresses;
    this.#tryNext();
  }

  #tryNext(): void {
    if (this.#isOver) return;
    const address = this.#nextAllowed();
    if (address === undefined) {
      this.#finish({ kind: this.failure });
      return;
    }
    if (!this.#deps.fds.tryTake()) {
      this.failure = "no_room";
      this.#tryNext();
      return;
    }
    this.#remote = { ip: address.text, port: this.#port, bytes: address.ip };
    this.failure = "timeout";
    // Minecraft's players speak first, and so does a question for the status.
    const fd = connectTcp(this.#remote, { sendsFirst: this.#game !== "other" });
    if (fd < 0) {
      this.#failed(fd);
      return;
    }
    this.#fd = fd;
    // Within this machine the answer has come by now.
    const result = isLoopback(address.ip) ? connectAgain(fd, this.#remote) : -errno.EALREADY;
    if (result === -errno.EALREADY) this.#await();
    else this.#ended(result);
  }

  #nextAllowed(): BackendAddress | undefined {
    for (;;) {
      const address = this.#addresses[this.#next++];
      if (address === undefined) return undefined;
      if (!this.#deps.policy.mayDial(address.ip, this.#port)) continue;
      if (this.#game !== undefined) {
        if (this.#proof?.allows(this.#game, address.text) === true) return address;
        this.isUnproven = true;
      } else {
        if (this.#mayAsk?.(address.text) !== false) return address;
        // If none was tried, that says nothing about the backend.
        if (this.failure === "forbidden") this.failure = "no_room";
      }
    }
  }

  #await(): void {
    try {
      this.#slot = this.#reactor.add(this.#fd, epollEvents.writable, this);
    } catch {
      // The kernel has no memory for another connection.
      this.#ended(-errno.ENOMEM);
      return;
    }
    this.#deps.wheel.schedule(this, attemptMs);
  }

  /** @param result 0 if the connection stands, else a negated error number */
  #ended(result: number): void {
    if (result !== 0) {
      closeDescriptor(this.#fd);
      this.#failed(result);
      return;
    }
    const { fds } = this.#deps;
    const socket = new TcpConnection(this.#reactor, this.#fd, this.#remote, () => fds.release());
    this.#finish({ kind: "connected", socket });
  }

  #unregister(): void {
    this.#deps.wheel.cancel(this);
    this.#reactor.detach(this.#slot, this.#fd);
    this.#slot = -1;
  }

  /** @param result a negated error number */
  #failed(result: number): void {
    this.#deps.fds.release();
    this.failure = failureOf(result);
    this.#tryNext();
  }

  #finish(result: DialResult): void {
    this.#isOver = true;
    this.#onResult(result);
  }
}

/** The address is in 127.0.0.0/8, and so one of this machine. */
function isLoopback(ip: IpBytes): boolean {
  return ip.length === 4 && ip[0] === 127;
}

/** The backend refuses the connection; other errors mean that it is gone or unreachable. */
function failureOf(result: number): DialFailure {
  if ([-errno.EMFILE, -errno.ENFILE, -errno.ENOMEM].includes(result)) return "no_room";
  return result === -errno.ECONNREFUSED || result === -errno.ECONNRESET ? "refused" : "timeout";
}
