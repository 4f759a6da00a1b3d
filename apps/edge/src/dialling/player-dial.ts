import type { BackendError } from "@palisade/contract/edge/telemetry";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Connection } from "#src/reactor/tcp-connection.ts";
import { backendOrder, lastChance } from "#src/routing/backend-order.ts";
import type { Backend, BackendGroup } from "#src/shields/compiled-shield.ts";
import { BackendDial, type BackendDialDeps } from "./backend-dial.ts";
import type { DialResult } from "./connect-attempt.ts";

/** Players being connected at once to a backend that is not known to be up. */
export const unknownDialsMax = 64;

export interface PlayerDialDeps extends BackendDialDeps {
  readonly health: { failed(backend: Backend, error: BackendError): void };
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
}

export interface Dialled {
  readonly group: BackendGroup;
  readonly backend: Backend;
  /** Nothing was read of it. */
  readonly socket: Connection;
}

type Candidate = Pick<Dialled, "group" | "backend">;

/**
 * Connects a player to the first backend that answers: each group in turn, in the order of its
 * balancing, without those known to be down. If none is left, one of them is tried anyway.
 */
export class PlayerDial {
  readonly #deps: PlayerDialDeps;
  readonly #onDialled: (dialled: Dialled | undefined) => void;
  readonly #chain: readonly BackendGroup[];
  readonly #ip: IpBytes;
  /** Its next group, and the backends of the one before that are still to be tried. */
  #nextGroup = 0;
  #backends: readonly Backend[] = [];
  #nextBackend = 0;
  #isLast = false;
  #candidate: Candidate | undefined;
  #dial: BackendDial | undefined;
  #isAborted = false;

  /** @param onDialled as of `Dialler.dialChain` */
  constructor(
    deps: PlayerDialDeps,
    chain: readonly BackendGroup[],
    ip: IpBytes,
    onDialled: (dialled: Dialled | undefined) => void,
  ) {
    this.#deps = deps;
    this.#onDialled = onDialled;
    this.#chain = chain;
    this.#ip = ip;
  }

  start(): void {
    this.#tryNext();
  }

  /** Gives up without a result. */
  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#dial?.abort();
    this.#candidate?.backend.load.arrived();
    this.#candidate = undefined;
  }

  #tryNext(): void {
    const candidate = this.#nextCandidate();
    this.#candidate = candidate;
    if (candidate === undefined) {
      this.#onDialled(undefined);
      return;
    }
    const { backend } = candidate;
    this.#dial = new BackendDial(this.#deps, backend.port, (result) => this.#tried(result));
    this.#dial.start(backend);
  }

  /** The next backend to try, which counts as being dialled from now on. */
  #nextCandidate(): Candidate | undefined {
    for (;;) {
      const backend = this.#backends[this.#nextBackend++];
      const group = this.#chain[this.#nextGroup - 1];
      if (backend === undefined || group === undefined) {
        if (!this.#enterNextGroup()) return this.#lastCandidate();
        continue;
      }
      // Checked right now: other attempts may have started since the last one.
      const { health, load } = backend;
      const max = health.state === "up" ? undefined : unknownDialsMax;
      if (load.trySetOut(max)) return { group, backend };
    }
  }

  #enterNextGroup(): boolean {
    const group = this.#chain[this.#nextGroup++];
    if (group === undefined) return false;
    const up = group.backends.filter(({ health }) => !health.isDown);
    this.#nextBackend = 0;
    this.#backends = up;
    if (up.length === 0) return true;
    const turn = group.balancing === "round_robin" ? group.turns.nextTurn(group.id) : 0;
    const facts = { ip: this.#ip, turn, random: Math.random() };
    this.#backends = backendOrder(group.balancing, up, facts);
    return true;
  }

  #lastCandidate(): Candidate | undefined {
    if (this.#isLast) return undefined;
    this.#isLast = true;
    const backend = lastChance(this.#chain, this.#deps.monotonicMs());
    if (backend === undefined) return undefined;
    const group = this.#chain.find(({ backends }) => backends.includes(backend));
    // If many players come at once, on any threads, only one tries.
    return group !== undefined && backend.load.trySetOut(1) ? { group, backend } : undefined;
  }

  #tried(result: DialResult): void {
    const candidate = this.#candidate;
    if (candidate === undefined) return;
    this.#candidate = undefined;
    candidate.backend.load.arrived();
    // A connection alone says little: the kernel accepts it even if the server hangs.
    if (result.kind === "connected") {
      this.#onDialled({ ...candidate, socket: result.socket });
      return;
    }
    // A lack of descriptors says nothing about the backend.
    if (result.kind !== "no_room") this.#deps.health.failed(candidate.backend, result.kind);
    if (!this.#isAborted) this.#tryNext();
  }
}
