import { endpoint, peerOf } from "#src/admission/peer.ts";
import type { Connection } from "@palisade/sockets/tcp-connection";
import { threadReactor } from "@palisade/sockets/reactor";
import type { Backend, OwnHeader, OwnHeaderChoice } from "#src/shields/backend-groups.ts";
import { BackendDial, type BackendDialDeps, type DialResult } from "./backend-dial.ts";
import type { PlayerDialDeps } from "./player-dial.ts";
import { encodeProxyV2, proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";

interface DiallerDeps extends BackendDialDeps {
  readonly health: PlayerDialDeps["health"];
  /** Whether an address of the backend may be asked now; counts it. */
  readonly mayAsk?: (backend: Backend, address: string) => boolean;
}

/** Connects to backends to ask them something. Failure is a value: no promise here rejects. */
export class Dialler {
  readonly #deps: DiallerDeps;

  constructor(deps: DiallerDeps) {
    this.#deps = deps;
  }

  /** Whether there are descriptors for connections that are no player's. */
  get hasRoom(): boolean {
    return !this.#deps.fds.isTight;
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
  dialTelling(
    backend: Backend | Pick<Backend, "host" | "port">,
    signal: AbortSignal,
  ): Promise<DialResult> {
    if (signal.aborted) return Promise.resolve({ kind: "unresolved" });
    const { promise, resolve } = Promise.withResolvers<DialResult>();
    const { mayAsk } = this.#deps;
    const onResult = (result: DialResult): void => {
      signal.removeEventListener("abort", giveUp);
      threadReactor().wakeNode();
      resolve(result);
    };
    const dial = new BackendDial(this.#deps, backend.port, onResult, (address) =>
      "proof" in backend && mayAsk !== undefined ? mayAsk(backend, address) : true,
    );
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
