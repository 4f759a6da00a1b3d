import { getPriority, setPriority } from "node:os";

/** Nice value of what takes players: behind relay processes, which have 0. */
const workerPriority = 5;

/**
 * Lowers the priority, so that a flood takes no time from players. On Linux this affects the
 * calling thread alone. A thread of lower priority stays there: only root may raise it.
 */
export function lowerPriority(): void {
  if (getPriority() < workerPriority) setPriority(workerPriority);
}
