import type { HealthStatus } from "#src/routing/backend-health.ts";
import type { Backend } from "#src/shields/compiled-shield.ts";
import type { BackendHealthUpdate } from "./thread-messages.ts";

/** Passes the health of backends to the workers, which choose backends by it. */
export class HealthBroadcast {
  readonly #send: (updates: readonly BackendHealthUpdate[]) => void;
  readonly #told = new WeakMap<Backend, HealthStatus>();
  readonly #changed = new Set<Backend>();

  constructor(send: (updates: readonly BackendHealthUpdate[]) => void) {
    this.#send = send;
  }

  /** Something was learnt of it. */
  note(backend: Backend): void {
    if (this.#changed.size === 0) setImmediate(() => this.#flush());
    this.#changed.add(backend);
  }

  #flush(): void {
    const updates: BackendHealthUpdate[] = [];
    for (const backend of this.#changed) {
      const health = healthOf(backend);
      if (isSame(this.#told.get(backend), health)) continue;
      this.#told.set(backend, health);
      updates.push([backend.shieldId, backend.id, health]);
    }
    this.#changed.clear();
    if (updates.length > 0) this.#send(updates);
  }
}

export function healthOf({ health }: Backend): HealthStatus {
  const { state, isDown, unreachableAtMs } = health;
  return { state, isDown, unreachableAtMs };
}

function isSame(a: HealthStatus | undefined, b: HealthStatus): boolean {
  return a?.state === b.state && a.isDown === b.isDown && a.unreachableAtMs === b.unreachableAtMs;
}
