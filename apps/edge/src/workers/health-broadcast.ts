import type { HealthStatus } from "#src/routing/backends.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { BackendHealthUpdate } from "./thread-messages.ts";

interface Told {
  readonly health: HealthStatus;
  readonly answered: readonly string[];
}

/** Passes the health of backends to the workers, which choose backends by it. */
export class HealthBroadcast {
  readonly #send: (updates: readonly BackendHealthUpdate[]) => void;
  readonly #told = new WeakMap<Backend, Told>();
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
      const now = { health: healthOf(backend), answered: backend.proof.answered };
      if (isSame(this.#told.get(backend), now)) continue;
      this.#told.set(backend, now);
      updates.push(updateOf(backend));
    }
    this.#changed.clear();
    if (updates.length > 0) this.#send(updates);
  }
}

/** The update that tells workers of a backend. */
export function updateOf(backend: Backend): BackendHealthUpdate {
  return [backend.shieldId, backend.id, healthOf(backend), backend.proof.answered];
}

function healthOf({ health }: Backend): HealthStatus {
  const { state, isDown, unreachableAtMs } = health;
  return { state, isDown, unreachableAtMs };
}

function isSame(told: Told | undefined, now: Told): boolean {
  if (told === undefined || told.answered !== now.answered) return false;
  const { health: a } = told;
  const { health: b } = now;
  return a.state === b.state && a.isDown === b.isDown && a.unreachableAtMs === b.unreachableAtMs;
}
