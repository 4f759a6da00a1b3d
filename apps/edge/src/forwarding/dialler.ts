import { connect, type Socket } from "node:net";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { backendOrder } from "#src/routing/backend-order.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { TimerWheel } from "#src/session/timer-wheel.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import { BackendReader } from "./backend-reader.ts";
import type { BackendAddress, BackendResolver } from "./backend-resolver.ts";
import type { FdBudget } from "./fd-budget.ts";
import { keepAliveAfterMs } from "./relay.ts";

/** One address gets this long to answer. */
const attemptMs = 2_500;

export interface DiallerDeps {
  readonly resolver: Pick<BackendResolver, "addresses">;
  readonly policy: DialPolicy;
  readonly wheel: TimerWheel;
  readonly fds: FdBudget;
}

export interface Dialled {
  readonly backend: Backend;
  readonly socket: Socket;
  /** Gives what the socket reads; it has no 'data' events. */
  readonly reader: BackendReader;
}

/** Why there is no connection, for whoever has to tell. */
type DialFailure = "unresolved" | "forbidden" | "refused" | "timeout" | "no_room";

type DialResult =
  | { readonly kind: "connected"; readonly socket: Socket }
  | { readonly kind: DialFailure };

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
      const reader = new BackendReader();
      const result = await this.dialTelling(backend, signal, reader);
      if (result.kind === "connected") return { backend, socket: result.socket, reader };
      if (signal.aborted) return undefined;
    }
    return undefined;
  }

  /** One backend, each of its addresses in turn. */
  async dial(backend: Backend, signal: AbortSignal): Promise<Socket | undefined> {
    const result = await this.dialTelling(backend, signal);
    return result.kind === "connected" ? result.socket : undefined;
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
  // The 'close' that follows says what is to be known.
}

/** Somebody is there and does not want us; other errors mean that nobody is, or no way there. */
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
