import type { BackendGroup, Backend } from "#src/shields/compiled-shield.ts";
import type { PerSecondQuota } from "#src/telemetry/per-second-quota.ts";

/** Connects that players cause, and those of health checks, which must not delay each other. */
export type ConnectKind = "dial" | "check";

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
    const { health, proof, shieldId } = backend;
    // One that was proven and is not known to be down is mostly a healthy one: it has not been tried
    // since the edge started, or its status is turned off.
    if (!health.isDown && (health.state === "up" || proof.isKnown(game))) return true;
    return this.#quota.take(kind, this.#perSecondMax, shieldId);
  }
}
