import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Connection } from "#src/reactor/tcp-connection.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import { BackendDial } from "./backend-dial.ts";
import type { DialResult } from "./connect-attempt.ts";
import { type Dialled, PlayerDial, type PlayerDialDeps } from "./player-dial.ts";

/** Connects to backends. Failure is a value: no promise here rejects. */
export class Dialler {
  readonly #deps: PlayerDialDeps;

  constructor(deps: PlayerDialDeps) {
    this.#deps = deps;
  }

  /** Whether there are descriptors for connections that are no player's. */
  get hasRoom(): boolean {
    return !this.#deps.fds.isTight;
  }

  /**
   * Connects a player to the first backend that answers.
   *
   * @param onDialled called once unless the dial is aborted, perhaps before this returns; undefined: no
   *   backend answers
   */
  dialChain(
    chain: readonly BackendGroup[],
    ip: IpBytes,
    onDialled: (dialled: Dialled | undefined) => void,
  ): Pick<PlayerDial, "abort"> {
    const dial = new PlayerDial(this.#deps, chain, ip, onDialled);
    dial.start();
    return dial;
  }

  /** One backend; a failure counts for its health. */
  async dial(backend: Backend, signal: AbortSignal): Promise<Connection | undefined> {
    const result = await this.dialTelling(backend, signal);
    if (result.kind === "connected") return result.socket;
    // A lack of descriptors, or the end of the wait, says nothing about the backend.
    if (result.kind !== "no_room" && !signal.aborted) {
      this.#deps.health.failed(backend, result.kind);
    }
    return undefined;
  }

  /** As `dial`, with the reason where it fails. It does not count for the backend's health. */
  dialTelling(backend: Pick<Backend, "host" | "port">, signal: AbortSignal): Promise<DialResult> {
    if (signal.aborted) return Promise.resolve({ kind: "unresolved" });
    const { promise, resolve } = Promise.withResolvers<DialResult>();
    const dial = new BackendDial(this.#deps, backend.port, (result) => {
      signal.removeEventListener("abort", giveUp);
      threadReactor().wakeNode();
      resolve(result);
    });
    const giveUp = (): void => {
      dial.abort();
      resolve({ kind: dial.failure });
    };
    signal.addEventListener("abort", giveUp, { once: true });
    dial.start(backend);
    return promise;
  }
}
