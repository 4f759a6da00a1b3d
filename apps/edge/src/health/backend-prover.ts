import type { BackendError } from "@palisade/contract/edge/telemetry";
import type { Dialler } from "#src/dialling/dialler.ts";
import type { TimerWheel } from "@palisade/sockets/timer-wheel";
import { justFailedMs } from "#src/routing/backends.ts";
import type { Backend, BackendGroup } from "#src/shields/backend-groups.ts";
import { askBackend } from "./check-backend.ts";

/** From dialling to the last byte: the player waits for it. */
const askMs = 3_000;

export interface BackendProverDeps {
  readonly dialler: Dialler;
  readonly wheel: TimerWheel;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
  readonly events: {
    proven(backend: Backend, address: string): void;
    succeeded(backend: Backend, latencyMs?: number): void;
    failed(backend: Backend, error: BackendError): void;
  };
}

type ProverState = "idle" | "asking" | "failed";

/**
 * Asks a backend for its status when the first player comes before it was proven. Players who come
 * in the same moment wait for one answer, and a failure counts for a second.
 */
export class BackendProver {
  readonly #deps: BackendProverDeps;
  readonly #running = new Map<Backend, Promise<boolean>>();
  readonly #failedAtMs = new WeakMap<Backend, number>();

  constructor(deps: BackendProverDeps) {
    this.#deps = deps;
  }

  /** `idle`: asking makes a connection; `asking`: one is under way; `failed`: a moment ago. */
  stateOf(backend: Backend): ProverState {
    if (this.#running.has(backend)) return "asking";
    const failedAtMs = this.#failedAtMs.get(backend) ?? Number.NEGATIVE_INFINITY;
    return this.#deps.monotonicMs() - failedAtMs < justFailedMs ? "failed" : "idle";
  }

  /**
   * Never rejects.
   *
   * @param host for the handshake
   * @returns whether it has answered as Minecraft
   */
  ask(backend: Backend, group: BackendGroup, host: string): Promise<boolean> {
    const running = this.#running.get(backend);
    if (running !== undefined) return running;
    const asking = this.#ask(backend, group, host).finally(() => this.#running.delete(backend));
    this.#running.set(backend, asking);
    return asking;
  }

  async #ask(backend: Backend, group: BackendGroup, host: string): Promise<boolean> {
    const { dialler, wheel, monotonicMs, events } = this.#deps;
    const abort = new AbortController();
    const deadline = { expire: () => abort.abort() };
    wheel.schedule(deadline, askMs);
    const result = await askBackend({ backend, group, host }, dialler, monotonicMs, abort.signal);
    wheel.cancel(deadline);
    if (result.kind === "up") {
      events.proven(backend, result.address);
      events.succeeded(backend, result.latencyMs);
      return true;
    }
    this.#failedAtMs.set(backend, monotonicMs());
    if (result.kind === "failed") events.failed(backend, result.error);
    return false;
  }
}
