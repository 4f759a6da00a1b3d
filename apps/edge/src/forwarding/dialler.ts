import { connect, type Socket } from "node:net";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { HealthRegistry } from "#src/health/health-registry.ts";
import { backendOrder, lastChance } from "#src/routing/backend-order.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { TimerWheel } from "#src/session/timer-wheel.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import { BackendReader } from "./backend-reader.ts";
import type { BackendAddress, BackendResolver } from "./backend-resolver.ts";
import type { FdBudget } from "./fd-budget.ts";
import { keepAliveAfterMs } from "./relay.ts";

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
  readonly socket: Socket;
  /** Gives what the socket reads; it has no 'data' events. */
  readonly reader: BackendReader;
}

/** Why there is no connection, for callers that report it. */
type DialFailure = "unresolved" | "forbidden" | "refused" | "timeout" | "no_room";

type DialResult =
  | { readonly kind: "connected"; readonly socket: Socket }
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
    const reader = new BackendReader();
    const result = await this.#dialCounted(backend, signal, reader);
    backend.load.arrived();
    // A connection alone says little: the kernel accepts it even if the server hangs.
    if (result.kind !== "connected") return undefined;
    return { group, backend, socket: result.socket, reader };
  }

  /** One backend, each of its addresses in turn; a failure counts for its health. */
  async dial(backend: Backend, signal: AbortSignal): Promise<Socket | undefined> {
    const result = await this.#dialCounted(backend, signal);
    return result.kind === "connected" ? result.socket : undefined;
  }

  async #dialCounted(
    backend: Backend,
    signal: AbortSignal,
    reader?: BackendReader,
  ): Promise<DialResult> {
    const result = await this.dialTelling(backend, signal, reader);
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
    reader?: BackendReader,
  ): Promise<DialResult> {
    const addresses = (await unlessAborted(this.#deps.resolver.addresses(host), signal)) ?? [];
    let failure: DialFailure = addresses.length === 0 ? "unresolved" : "forbidden";
    for (const address of addresses) {
      if (signal.aborted) break;
      if (!this.#deps.policy.mayDial(address.ip, port)) continue;
      const result = await this.#connect(address, port, signal, reader);
      if (result.kind === "connected") return result;
      failure = result.kind;
    }
    return { kind: failure };
  }

  #connect(
    address: BackendAddress,
    port: number,
    signal: AbortSignal,
    reader: BackendReader | undefined,
  ): Promise<DialResult> {
    const { fds, wheel } = this.#deps;
    if (!fds.tryTake()) return Promise.resolve({ kind: "no_room" });
    const { promise, resolve } = Promise.withResolvers<DialResult>();
    const socket = connect({
      host: address.text,
      port,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveAfterMs,
      ...(reader === undefined ? {} : { onread: reader.options }),
    });
    const giveUp = (): void => void socket.destroy();
    const deadline = { expire: giveUp };
    const settle = (outcome: DialResult): void => {
      wheel.cancel(deadline);
      signal.removeEventListener("abort", giveUp);
      resolve(outcome);
    };
    wheel.schedule(deadline, attemptMs);
    signal.addEventListener("abort", giveUp, { once: true });
    // Stays for the socket's life: an error without a listener would end the process.
    socket.on("error", ignore);
    socket.once("close", () => {
      fds.release();
      settle({ kind: isRefusal(socket.errored) ? "refused" : "timeout" });
    });
    socket.once("connect", () => settle({ kind: "connected", socket }));
    return promise;
  }
}

function ignore(): void {
  // The 'close' event that follows is handled.
}

/** The backend refuses the connection; other errors mean that it is gone or unreachable. */
function isRefusal(error: Error | null): boolean {
  const code = error !== null && "code" in error ? error.code : undefined;
  return code === "ECONNREFUSED" || code === "ECONNRESET";
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
