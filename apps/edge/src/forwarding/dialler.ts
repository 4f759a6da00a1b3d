import { connect, type Socket } from "node:net";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { backendOrder } from "#src/routing/backend-order.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { TimerWheel } from "#src/session/timer-wheel.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import type { BackendAddress, BackendResolver } from "./backend-resolver.ts";
import type { FdBudget } from "./fd-budget.ts";
import { keepAliveAfterMs } from "./relay.ts";

/** One address gets this long to answer. */
const attemptMs = 2_500;

export interface DiallerDeps {
  readonly resolver: BackendResolver;
  readonly policy: DialPolicy;
  readonly wheel: TimerWheel;
  readonly fds: FdBudget;
}

export interface Dialled {
  readonly backend: Backend;
  readonly socket: Socket;
}

/** Connects to backends. Failure is a value: nothing here rejects. */
export class Dialler {
  readonly #deps: DiallerDeps;

  constructor(deps: DiallerDeps) {
    this.#deps = deps;
  }

  /** Whether there are descriptors for connections that are no player's. */
  get hasRoom(): boolean {
    return !this.#deps.fds.isTight;
  }

  /** The first backend of the group that answers, in the order of its balancing. */
  async dialGroup(
    group: BackendGroup,
    ip: IpBytes,
    signal: AbortSignal,
  ): Promise<Dialled | undefined> {
    const order = backendOrder(group.balancing, group.backends.length, {
      ip,
      turn: group.turn++,
      random: Math.random(),
      players: group.backends.map(({ players }) => players),
    });
    for (const index of order) {
      const backend = group.backends[index];
      if (backend === undefined) continue;
      const socket = await this.dial(backend, signal);
      if (socket !== undefined) return { backend, socket };
      if (signal.aborted) return undefined;
    }
    return undefined;
  }

  /** One backend, each of its addresses in turn. */
  async dial(backend: Backend, signal: AbortSignal): Promise<Socket | undefined> {
    const addresses = await unlessAborted(this.#deps.resolver.addresses(backend.host), signal);
    for (const address of addresses ?? []) {
      if (signal.aborted) return undefined;
      if (!this.#deps.policy.mayDial(address.ip, backend.port)) continue;
      const socket = await this.#connect(address, backend.port, signal);
      if (socket !== undefined) return socket;
    }
    return undefined;
  }

  #connect(
    address: BackendAddress,
    port: number,
    signal: AbortSignal,
  ): Promise<Socket | undefined> {
    const { fds, wheel } = this.#deps;
    if (!fds.tryTake()) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
    const socket = connect({
      host: address.text,
      port,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveAfterMs,
    });
    const giveUp = (): void => void socket.destroy();
    const deadline = { expire: giveUp };
    const settle = (outcome: Socket | undefined): void => {
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
      settle(undefined);
    });
    socket.once("connect", () => settle(socket));
    return promise;
  }
}

function ignore(): void {
  // The 'close' that follows says what is to be known.
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
