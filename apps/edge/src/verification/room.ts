import type { VerificationLimits } from "./limits.ts";

/** A place in verification. */
export interface Seat {
  /** The player has answered something: he is not the one to make room any more. */
  answered(): void;
  /** He is through, or gone. Once is enough; more does no harm. */
  leave(): void;
}

interface Place {
  readonly sinceMs: number;
  readonly shield: Table;
  readonly makeRoom: () => void;
}

interface Table {
  seated: number;
  /** Who has not answered yet, oldest first. */
  readonly silent: Set<Place>;
}

/**
 * How many are verified at once, on the edge and of one shield. Where it is full, the oldest who
 * has answered nothing so far goes, once he has had the time of a slow line; where there is none,
 * the newcomer does. Nobody who has answered is ever sent away for another.
 */
export class VerificationRoom {
  readonly #limits: Pick<VerificationLimits, "atOnceMax" | "perShieldMax" | "silentMs">;
  readonly #edge: Table = { seated: 0, silent: new Set() };
  readonly #shields = new Map<string, Table>();

  constructor(limits: Pick<VerificationLimits, "atOnceMax" | "perShieldMax" | "silentMs">) {
    this.#limits = limits;
  }

  get seated(): number {
    return this.#edge.seated;
  }

  /**
   * @param makeRoom ends the verification; it must leave its seat
   * @returns undefined where there is no room
   */
  enter(shieldId: string, nowMs: number, makeRoom: () => void): Seat | undefined {
    const shield = this.#shields.get(shieldId) ?? { seated: 0, silent: new Set() };
    const { atOnceMax, perShieldMax } = this.#limits;
    if (shield.seated >= perShieldMax && !this.#clearOne(shield, nowMs)) return undefined;
    if (this.#edge.seated >= atOnceMax && !this.#clearOne(this.#edge, nowMs)) return undefined;
    // After room was made: that may have ended the shield's table.
    this.#shields.set(shieldId, shield);
    const place: Place = { sinceMs: nowMs, shield, makeRoom };
    for (const table of [this.#edge, shield]) {
      table.seated++;
      table.silent.add(place);
    }
    return this.#seat(shieldId, place);
  }

  #seat(shieldId: string, place: Place): Seat {
    let isTaken = true;
    const { shield } = place;
    const answered = (): void => {
      this.#edge.silent.delete(place);
      shield.silent.delete(place);
    };
    const leave = (): void => {
      if (!isTaken) return;
      isTaken = false;
      answered();
      this.#edge.seated--;
      if (--shield.seated === 0) this.#shields.delete(shieldId);
    };
    return { answered, leave };
  }

  #clearOne(table: Table, nowMs: number): boolean {
    for (const oldest of table.silent) {
      if (nowMs - oldest.sinceMs < this.#limits.silentMs) return false;
      const before = table.seated;
      oldest.makeRoom();
      return table.seated < before;
    }
    return false;
  }
}
