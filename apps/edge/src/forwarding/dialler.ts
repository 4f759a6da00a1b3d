import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { errno } from "@palisade/sockets/errno";
import { connectResult, connectTcp } from "@palisade/sockets/tcp";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { type Connection, TcpConnection } from "#src/connection/tcp-connection.ts";
import type { HealthRegistry } from "#src/health/health-registry.ts";
import { backendOrder, lastChance } from "#src/routing/backend-order.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import type { BackendAddress, BackendResolver } from "./backend-resolver.ts";
import type { FdBudget } from "./fd-budget.ts";

/** Players being connected at once to a backend that is not known to be up. */
export const unknownDialsMax = 64;
/** One address gets this long to answer. */
const attemptMs = 2_500;

export interface DiallerDeps {
  readonly resolver: Pick<BackendResolver, "addresses">;
  readonly policy: DialPolicy;
  readonly wheel: TimerWheel;
  readonly fds: FdBudget;
  readonly health: Pick<HealthRegistry, "failed">;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
}

export interface Dialled {
  readonly group: BackendGroup;
  readonly backend: Backend;
  /** Nothing was read of it. */
  readonly socket: Connection;
}

/** Why there is no connection, for callers that report it. */
type DialFailure = "unresolved" | "forbidden" | "refused" | "timeout" | "no_room";

type DialResult =
  | { readonly kind: "connected"; readonly socket: Connection }
  | { readonly kind: DialFailure };

/** Connects to backends. Failure is a value: no promise here rejects. */
export class Dialler {
  readonly #deps: DiallerDeps;

  constructor(deps: DiallerDeps) {
    this.#deps = deps;
  }

  /** Whether there are descriptors for connections that are no player's. */
  get hasRoom(): boolean {
    return !this.#deps.fds.isTight;
  }

  /**
   * Connects to the first backend that answers: each group in turn, in the order of its balancing,
   * without those known to be down. If none is left, one of them is tried anyway.
   */
  async dialChain(
    chain: readonly BackendGroup[],
    ip: IpBytes,
    signal: AbortSignal,
  ): Promise<Dialled | undefined> {
    for (const group of chain) {
      const up = group.backends.filter(({ health }) => !health.isDown);
      if (up.length === 0) continue;
      const turn = group.balancing === "round_robin" ? group.turns.nextTurn(group.id) : 0;
      const facts = { ip, turn, random: Math.random() };
      for (const backend of backendOrder(group.balancing, up, facts)) {
        // Checked right now: other attempts may have started since the last one.
        const { health, load } = backend;
        if (!load.trySetOut(health.state === "up" ? undefined : unknownDialsMax)) continue;
        const dialled = await this.#dialPlayer(group, backend, signal);
        if (dialled !== undefined || signal.aborted) return dialled;
      }
    }
    const last = lastChance(chain, this.#deps.monotonicMs());
    const group = chain.find(({ backends }) => last !== undefined && backends.includes(last));
    // If many players come at once, on any threads, only one tries.
    if (last === undefined || group === undefined || !last.load.trySetOut(1)) return undefined;
    return this.#dialPlayer(group, last, signal);
  }

  /** Counts one running attempt. */
  async #dialPlayer(
    group: BackendGroup,
    backend: Backend,
    signal: AbortSignal,
  ): Promise<Dialled | undefined> {
    const result = await this.#dialCounted(backend, signal);
    backend.load.arrived();
    // A connection alone says little: the kernel accepts it even if the server hangs.
    if (result.kind !== "connected") return undefined;
    return { group, backend, socket: result.socket };
  }

  /** One backend, each of its addresses in turn; a failure counts for its health. */
  async dial(backend: Backend, signal: AbortSignal): Promise<Connection | undefined> {
    const result = await this.#dialCounted(backend, signal);
    return result.kind === "connected" ? result.socket : undefined;
  }

  async #dialCounted(backend: Backend, signal: AbortSignal): Promise<DialResult> {
    const result = await this.dialTelling(backend, signal);
    const { kind } = result;
    // A lack of descriptors, or a player's leaving, says nothing about the backend.
    if (kind !== "connected" && kind !== "no_room" && !signal.aborted) {
      this.#deps.health.failed(backend, kind);
    }
    return result;
  }

  /** As `dial`, with the reason where it fails: that of the last address that may be dialled. */
  async dialTelling(
    { host, port }: Pick<Backend, "host" | "port">,
    signal: AbortSignal,
  ): Promise<DialResult> {
    const addresses = (await unlessAborted(this.#deps.resolver.addresses(host), signal)) ?? [];
    let failure: DialFailure = addresses.length === 0 ? "unresolved" : "forbidden";
    for (const address of addresses) {
      if (signal.aborted) break;
      if (!this.#deps.policy.mayDial(address.ip, port)) continue;
      const result = await this.#connect(address, port, signal);
      if (result.kind === "connected") return result;
      failure = result.kind;
    }
    return { kind: failure };
  }

  #connect(address: BackendAddress, port: number, signal: AbortSignal): Promise<DialResult> {
    const { fds, wheel } = this.#deps;
    if (!fds.tryTake()) return Promise.resolve({ kind: "no_room" });
    const remote = { ip: address.text, port };
    const fd = connectTcp(remote);
    if (fd < 0) {
      fds.release();
      return Promise.resolve({ kind: failureOf(fd) });
    }
    const { promise, resolve } = Promise.withResolvers<DialResult>();
    const reactor = threadReactor();
    const slot = reactor.add(fd, epollEvents.writable, {
      ready: () => {
        settle(connectResult(fd));
        return false;
      },
    });
    /** @param result 0 or a negated error number */
    const settle = (result: number): void => {
      wheel.cancel(deadline);
      signal.removeEventListener("abort", giveUp);
      reactor.detach(slot, fd);
      if (result === 0) {
        const socket = new TcpConnection(reactor, fd, remote, () => fds.release());
        resolve({ kind: "connected", socket });
        return;
      }
      closeDescriptor(fd);
      fds.release();
      resolve({ kind: failureOf(result) });
    };
    const giveUp = (): void => settle(-errno.ETIMEDOUT);
    const deadline = { expire: giveUp };
    wheel.schedule(deadline, attemptMs);
    signal.addEventListener("abort", giveUp, { once: true });
    return promise;
  }
}

/**
 * The backend refuses the connection; other errors mean that it is gone or unreachable.
 *
 * @param result a negated error number
 */
function failureOf(result: number): DialFailure {
  if (result === -errno.EMFILE || result === -errno.ENFILE) return "no_room";
  return result === -errno.ECONNREFUSED || result === -errno.ECONNRESET ? "refused" : "timeout";
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const abort = (): void => aborted.resolve(undefined);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
