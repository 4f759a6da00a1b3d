import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Connection } from "#src/reactor/tcp-connection.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { Backend } from "#src/shields/compiled-shield.ts";
import { BackendDial } from "./backend-dial.ts";
import type { DialResult } from "./connect-attempt.ts";
import {
  type Destination,
  type DialOutcome,
  PlayerDial,
  type PlayerDialDeps,
} from "./player-dial.ts";

/** A dialler that connects no players needs no limit and no prover. */
type DiallerDeps = Omit<PlayerDialDeps, "connects" | "prover"> &
  Partial<Pick<PlayerDialDeps, "connects" | "prover">>;

/** For diallers that only ask, and connect no player. */
const provesNothing: Pick<PlayerDialDeps, "connects" | "prover"> = {
  connects: { allows: () => true },
  prover: { stateOf: () => "failed", ask: () => Promise.resolve(false) },
};

/** Connects to backends. Failure is a value: no promise here rejects. */
export class Dialler {
  readonly #deps: PlayerDialDeps;

  constructor(deps: DiallerDeps) {
    this.#deps = { ...provesNothing, ...deps };
  }

  /** Whether there are descriptors for connections that are no player's. */
  get hasRoom(): boolean {
    return !this.#deps.fds.isTight;
  }

  /**
   * Connects a player to the first backend that answers.
   *
   * @param onOutcome called once unless the dial is aborted, perhaps before this returns
   */
  dialChain(
    destination: Destination,
    ip: IpBytes,
    onOutcome: (outcome: DialOutcome) => void,
  ): Pick<PlayerDial, "abort"> {
    const dial = new PlayerDial(this.#deps, destination, ip, onOutcome);
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
