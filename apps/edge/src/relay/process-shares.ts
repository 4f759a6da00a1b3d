/** Bytes a second for the players that one process has of a shield; undefined: as it was. */
export type RateOf = (shield: string, players: number) => number | undefined;

/** A shield and the bytes a second that a process may relay for it; null: it has no player there. */
export type ShareRate = readonly [shield: string, bytesPerSecond: number | null];

/**
 * The edge's view of one relay process: its players by shield, and the rates it was told. The
 * shield's bandwidth is divided among the processes by their players.
 */
export class ProcessShares {
  readonly #players = new Map<string, number>();
  readonly #told = new Map<string, number>();

  /** @returns whether it is the shield's first player there */
  entered(shield: string): boolean {
    const players = this.#players.get(shield) ?? 0;
    this.#players.set(shield, players + 1);
    return players === 0;
  }

  left(shield: string): void {
    const players = (this.#players.get(shield) ?? 0) - 1;
    if (players > 0) this.#players.set(shield, players);
    else this.#players.delete(shield);
  }

  /** The rates that the process has to be told now. */
  changes(rateOf: RateOf): ShareRate[] {
    const changes = [...this.#players.keys()].flatMap((shield) => this.changesOf(shield, rateOf));
    for (const shield of this.#told.keys()) {
      if (this.#players.has(shield)) continue;
      changes.push([shield, null]);
      this.#told.delete(shield);
    }
    return changes;
  }

  /** As `changes`, of one shield that has players there. */
  changesOf(shield: string, rateOf: RateOf): ShareRate[] {
    const rate = rateOf(shield, this.#players.get(shield) ?? 0);
    if (rate === undefined || rate === this.#told.get(shield)) return [];
    this.#told.set(shield, rate);
    return [[shield, rate]];
  }
}
