/** Counts of the relay processes that an edge has started. */
export interface RelayCounts {
  /** By process. */
  readonly players: readonly number[];
  /** Players that the edge relays itself because no process could take them. */
  readonly byWorkers: number;
  /** Processes that have ended, and taken their players with them. */
  readonly lost: number;
  /** Players who were lost on their way to a process. */
  readonly failed: number;
}

export const noRelays: RelayCounts = { players: [], byWorkers: 0, lost: 0, failed: 0 };

export function addRelayCounts(a: RelayCounts, b: RelayCounts): RelayCounts {
  return {
    players: [...a.players, ...b.players],
    byWorkers: a.byWorkers + b.byWorkers,
    lost: a.lost + b.lost,
    failed: a.failed + b.failed,
  };
}
