/** Counts of the relay processes that a front has started. */
export interface RelayFigures {
  /** By process. */
  readonly players: readonly number[];
  /** Players that the front relays itself because no process could take them. */
  readonly byFront: number;
  /** Processes that have ended, and taken their players with them. */
  readonly lost: number;
  /** Players who were lost on their way to a process. */
  readonly failed: number;
}

export const noRelays: RelayFigures = { players: [], byFront: 0, lost: 0, failed: 0 };

export function addFigures(a: RelayFigures, b: RelayFigures): RelayFigures {
  return {
    players: [...a.players, ...b.players],
    byFront: a.byFront + b.byFront,
    lost: a.lost + b.lost,
    failed: a.failed + b.failed,
  };
}
