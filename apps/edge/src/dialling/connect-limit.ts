import type { BackendGroup, Backend } from "#src/shields/compiled-shield.ts";
import type { PerSecondQuota } from "#src/telemetry/per-second-quota.ts";

/** Connects that players cause, and those of health checks, which must not delay each other. */
export type ConnectKind = "dial" | "check";

/**
 * Connects in a second to one proven address that has not been tried yet. It is mostly a healthy one,
 * which is known to be up after the first; by address, so that no change of the settings starts anew.
 */
export const untriedPerSecondMax = 64;

/**
 * Limits the connects of one shield in a second to backends that are not known to answer, over all
 * threads of the edge: otherwise an edge could be made to knock at strangers' ports. Players of a
 * backend that is up are never counted.
 */
export class ConnectLimit {
  readonly #quota: PerSecondQuota;
  readonly #perSecondMax: number;

  constructor(quota: PerSecondQuota, perSecondMax: number) {
    this.#quota = quota;
    this.#perSecondMax = perSecondMax;
  }

  /** Whether the backend may be connected to now; counted if it is not known to answer. */
  allows(kind: ConnectKind, backend: Backend, game: BackendGroup["game"]): boolean {
    const { health, proof, shieldId, host, port } = backend;
    if (!health.isDown && health.state === "up") return true;
    if (!health.isDown && proof.isKnown(game)) {
      // It takes connections with its status turned off.
      if (health.state === "down") return true;
      const address = `${shieldId} ${host} ${port}`;
      if (this.#quota.take("untried", untriedPerSecondMax, address)) return true;
    }
    return this.#quota.take(kind, this.#perSecondMax, shieldId);
  }
}
