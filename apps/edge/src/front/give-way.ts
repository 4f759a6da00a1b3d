import { getPriority, setPriority } from "node:os";

/** Nice value of what takes players: behind relay processes, which have 0. */
const frontPriority = 5;

/**
 * A flood at the door takes no time from players. On Linux this is the calling thread's alone. One
 * that is further behind already stays there: only root may come forward.
 */
export function giveWay(): void {
  if (getPriority() < frontPriority) setPriority(frontPriority);
}
