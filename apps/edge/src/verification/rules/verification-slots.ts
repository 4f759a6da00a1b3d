import type { VerificationLimits } from "./limits.ts";

/** A place in verification. */
export interface VerificationSlot {
  /** The player has answered, and was asked something else. */
  asked(nowMs: number): void;
  /** He has answered, and it is the edge's turn: until `asked` nobody may send him away. */
  working(): void;
  /** He is through, or gone. Once is enough; more does no harm. */
  leave(): void;
}

interface Place {
  askedAtMs: number;
  readonly shield: Table;
  readonly makeRoom: () => void;
}

interface Table {
  used: number;
  /** Whose answer is waited for, longest first. */
  readonly asked: Set<Place>;
}

type RoomLimits = Pick<VerificationLimits, "atOnceMax" | "perShieldMax" | "silentMs">;

/**
 * How many are verified at once by one thread, of all shields and of one. Where it is full, whoever owes an
 * answer for the longest goes, once he has had the time of a slow line; where there is none, the
 * newcomer does. So neither bots that say nothing nor those that stop half-way keep players out,
 * and nobody who answers is ever sent away for another.
 */
export class VerificationSlots {
  readonly #limits: RoomLimits;
  readonly #edge: Table = { used: 0, asked: new Set() };
  readonly #shields = new Map<string, Table>();

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  get seated(): number {
    return this.#edge.used;
  }

  /**
   * @param nowMs of a clock that is never set back, here and in `asked`
   * @param makeRoom ends the verification; it must leave its seat
   * @returns undefined where there is no room
   */
  enter(shieldId: string, nowMs: number, makeRoom: () => void): VerificationSlot | undefined {
    const shield = this.#shields.get(shieldId) ?? { used: 0, asked: new Set() };
    const { atOnceMax, perShieldMax } = this.#limits;
    if (shield.used >= perShieldMax && !this.#clearOne(shield, nowMs)) return undefined;
    if (this.#edge.used >= atOnceMax && !this.#clearOne(this.#edge, nowMs)) return undefined;
    // After room was made: that may have ended the shield's table.
    this.#shields.set(shieldId, shield);
    const place: Place = { askedAtMs: nowMs, shield, makeRoom };
    for (const table of [this.#edge, shield]) {
      table.used++;
      table.asked.add(place);
    }
    return this.#seat(shieldId, place);
  }

  #seat(shieldId: string, place: Place): VerificationSlot {
    let isTaken = true;
    const tables = [this.#edge, place.shield];
    const working = (): void => {
      for (const { asked } of tables) asked.delete(place);
    };
    return {
      working,
      asked: (nowMs) => {
        working();
        place.askedAtMs = nowMs;
        if (isTaken) for (const { asked } of tables) asked.add(place);
      },
      leave: () => {
        if (!isTaken) return;
        isTaken = false;
        working();
        for (const table of tables) table.used--;
        if (place.shield.used === 0) this.#shields.delete(shieldId);
      },
    };
  }

  #clearOne(table: Table, nowMs: number): boolean {
    for (const oldest of table.asked) {
      if (nowMs - oldest.askedAtMs < this.#limits.silentMs) return false;
      const before = table.used;
      oldest.makeRoom();
      return table.used < before;
    }
    return false;
  }
}
