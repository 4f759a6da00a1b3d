import type { VerificationLimits } from "./limits.ts";

/** One player's slot. */
export interface VerificationSlot {
  /** The player has answered, and has to answer again. */
  asked(nowMs: number): void;
  /** The same, but a person has to read the question and think: the slot is safe for longer. */
  reading(nowMs: number): void;
  /** The player has answered, and the edge works: until `asked` the slot is safe. */
  working(): void;
  /** The player has passed or left. Further calls do nothing. */
  leave(): void;
}

interface Place {
  askedAtMs: number;
  readonly shield: Table;
  readonly makeRoom: () => void;
}

interface Table {
  used: number;
  /** Players who still have to answer, longest waiting first. */
  readonly asked: Set<Place>;
  /** The same for those who read a captcha. */
  readonly reading: Set<Place>;
}

type RoomLimits = Pick<VerificationLimits, "atOnceMax" | "perShieldMax" | "silentMs" | "readingMs">;

const newTable = (): Table => ({ used: 0, asked: new Set(), reading: new Set() });

/**
 * Limits how many players one thread verifies at once, in all and per shield. If all slots are
 * taken, the player who has not answered for the longest makes room, once they have had the time of
 * a slow line; after all of these come the players who read a captcha, once they have had the time to
 * read it. If there is none, the new player is turned away. So neither silent bots nor bots that stop
 * half-way keep players out, and a player who answers never makes room for another.
 */
export class VerificationSlots {
  readonly #limits: RoomLimits;
  readonly #edge = newTable();
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
   * @returns undefined if there is no room
   */
  enter(shieldId: string, nowMs: number, makeRoom: () => void): VerificationSlot | undefined {
    const shield = this.#shields.get(shieldId) ?? newTable();
    const { atOnceMax, perShieldMax } = this.#limits;
    if (shield.used >= perShieldMax && !this.#clearOne(shield, nowMs)) return undefined;
    if (this.#edge.used >= atOnceMax && !this.#clearOne(this.#edge, nowMs)) return undefined;
    // Set after room was made, because that may have removed the shield's entry.
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
      for (const { asked, reading } of tables) {
        asked.delete(place);
        reading.delete(place);
      }
    };
    const waits = (queue: "asked" | "reading", nowMs: number): void => {
      working();
      place.askedAtMs = nowMs;
      if (isTaken) for (const table of tables) table[queue].add(place);
    };
    return {
      working,
      asked: (nowMs) => waits("asked", nowMs),
      reading: (nowMs) => waits("reading", nowMs),
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
    const { silentMs, readingMs } = this.#limits;
    return (
      clearOldest(table, table.asked, nowMs - silentMs) ||
      clearOldest(table, table.reading, nowMs - readingMs)
    );
  }
}

/** @param askedBeforeMs players who were asked later keep their slots */
function clearOldest(table: Table, queue: Set<Place>, askedBeforeMs: number): boolean {
  for (const oldest of queue) {
    if (oldest.askedAtMs > askedBeforeMs) return false;
    const before = table.used;
    oldest.makeRoom();
    return table.used < before;
  }
  return false;
}
