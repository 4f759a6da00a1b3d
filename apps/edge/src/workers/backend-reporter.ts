import type { Backend } from "#src/shields/compiled-shield.ts";
import type { BackendEvents } from "./backend-events.ts";
import type { BackendEvent } from "./thread-messages.ts";

/** Outcomes of a worker's connections to backends, passed to the main thread once per turn. */
export function createBackendReporter(
  send: (events: readonly BackendEvent[]) => void,
): BackendEvents {
  let events: BackendEvent[] = [];

  function note({ shieldId, id }: Backend, event: Exclude<BackendEvent[2], "proven">): void {
    const last = events.at(-1);
    // A burst of joins makes one report.
    if (last !== undefined && last[1] === id && last[2] === event) return;
    if (events.length === 0) setImmediate(flush);
    events.push([shieldId, id, event]);
  }

  function noteProof(backend: Backend, address: string): void {
    // The thread itself need not wait for the main thread's word.
    if (!backend.proof.answer(address)) return;
    if (events.length === 0) setImmediate(flush);
    const { shieldId, id, host, port } = backend;
    events.push([shieldId, id, "proven", { host, port, address }]);
  }

  function flush(): void {
    const due = events;
    events = [];
    send(due);
  }

  return {
    failed: (backend, error) => note(backend, error),
    succeeded: (backend) => note(backend, "succeeded"),
    hungUp: (backend) => note(backend, "hung-up"),
    proven: noteProof,
    playersChanged: (backend) => note(backend, "players"),
  };
}
