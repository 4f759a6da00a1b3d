import type { BackendEvents } from "#src/health/health-registry.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { BackendEvent } from "./thread-messages.ts";

type Outcome = Exclude<BackendEvent[2], "proven" | "players" | "bedrock">;

export interface BackendReporter {
  readonly events: BackendEvents;
  /** Sends what waits; once a second. */
  flush(): void;
}

/**
 * Outcomes of a worker's connections to backends, passed to the main thread in their order. An outcome that
 * does not change where players are sent waits for the next message, so that a login sends none of its own.
 */
export function createBackendReporter(
  send: (events: readonly BackendEvent[]) => void,
): BackendReporter {
  let events: BackendEvent[] = [];
  let isDue = false;
  /** The last outcome that waits, of each backend. */
  const outcomes = new Map<Backend, Outcome>();
  const withPlayers = new Set<Backend>();

  function note(backend: Backend, outcome: Outcome): void {
    // A burst of joins makes one report.
    if (outcomes.get(backend) === outcome) return;
    outcomes.set(backend, outcome);
    events.push([backend.shieldId, backend.id, outcome]);
    if (outcome !== "succeeded" || backend.health.state !== "up") flushSoon();
  }

  function notePlayers(backend: Backend): void {
    if (withPlayers.has(backend)) return;
    withPlayers.add(backend);
    events.push([backend.shieldId, backend.id, "players"]);
  }

  function noteProof(backend: Backend, address: string): void {
    // The thread itself need not wait for the main thread's word.
    if (!backend.proof.answer(address)) return;
    const { shieldId, id, host, port } = backend;
    events.push([shieldId, id, "proven", { host, port, address }]);
    flushSoon();
  }

  function flushSoon(): void {
    if (!isDue) setImmediate(flush);
    isDue = true;
  }

  function flush(): void {
    isDue = false;
    if (events.length === 0) return;
    const due = events;
    events = [];
    outcomes.clear();
    withPlayers.clear();
    send(due);
  }

  return {
    events: {
      failed: (backend, error) => note(backend, error),
      succeeded: (backend) => note(backend, "succeeded"),
      hungUp: (backend) => note(backend, "hung-up"),
      proven: noteProof,
      playersChanged: notePlayers,
      toldBedrock: ({ shieldId, id }, health) => events.push([shieldId, id, "bedrock", health]),
    },
    flush,
  };
}
