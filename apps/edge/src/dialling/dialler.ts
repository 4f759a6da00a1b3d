import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Connection } from "#src/reactor/tcp-connection.ts";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { Backend, OwnHeader, OwnHeaderChoice } from "#src/shields/compiled-shield.ts";
import { BackendDial, type DialResult } from "./backend-dial.ts";
import {
  type Destination,
  type DialOutcome,
  PlayerDial,
  type PlayerDialDeps,
} from "./player-dial.ts";
import { encodeProxyV2, proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { endpoint, peerOf } from "#src/reactor/peer.ts";

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

/** The header with which a backend sees the player in place of the edge. */
export function playerHeader(player: Connection): Buffer {
  const { source, destination } = peerOf(player);
  return encodeProxyV2(source, destination);
}

export function ownHeader(kind: OwnHeader, connection: Connection): Uint8Array {
  if (kind === "local") return proxyV2Local;
  return encodeProxyV2(endpoint(connection.local), endpoint(connection.remote));
}

/** A backend, as far as it is asked. */
interface Asked {
  readonly ownHeader: OwnHeaderChoice;
}

/** The header to try with this backend: LOCAL until it was that which got no answer. */
export function ownHeaderFor({ ownHeader: { kind } }: Asked): OwnHeader {
  return kind;
}

/** The backend gave an answer. */
export function headerTook({ ownHeader: choice }: Asked, used: OwnHeader): void {
  if (used === choice.kind) choice.isProven = true;
}

/**
 * The backend accepted the connection and gave no answer: the other header is tried next time, or
 * the time after if this one had worked. If several attempts fail together, only one changes the
 * choice.
 */
export function headerRefused({ ownHeader: choice }: Asked, used: OwnHeader): void {
  if (used !== choice.kind) return;
  if (!choice.isProven) choice.kind = used === "local" ? "proxy" : "local";
  choice.isProven = false;
}
