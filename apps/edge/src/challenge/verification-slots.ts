import { emptyList, SeatLinks, type SeatList } from "#src/admission/seats.ts";
import type { VerificationLimits } from "./rules/limits.ts";

/** The verification that has a slot. */
export interface SlotHolder {
  /** Others need the slot: ends the verification, which must leave it. */
  makeRoom(): void;
}

/** Stands for no slot. */
export const noSlot = -1;

/** Slots of one shield, or of all. */
class Table {
  readonly shieldId: string;
  used = 0;
  /** Players who still have to answer, longest waiting first. */
  readonly asked = emptyList();
  /** The same for those who read a captcha. */
  readonly reading = emptyList();

  constructor(shieldId: string) {
    this.shieldId = shieldId;
  }
}

/** The list that a slot is in; in none while the edge works. */
const queues = { none: 0, asked: 1, reading: 2 } as const;
type Queue = keyof typeof queues;

type SlotLimits = Pick<VerificationLimits, "atOnceMax" | "perShieldMax" | "silentMs" | "readingMs">;

/**
 * Limits how many players one thread verifies at once, in all and per shield. If all slots are
 * taken, the player who has not answered for the longest makes room, once they have had the time of
 * a slow line; after all of these come the players who read a captcha, once they have had the time to
 * read it. If there is none, the new player is turned away. So neither silent bots nor bots that stop
 * half-way keep players out, and a player who answers never makes room for another.
 *
 * A slot is a number, and the lists are typed arrays, so that a player costs no object here.
 */
export class VerificationSlots {
  readonly #limits: SlotLimits;
  readonly #edge = new Table("");
  /** Those that have players. */
  readonly #shields = new Map<string, Table>();
  readonly #holders: (SlotHolder | undefined)[] = [];
  readonly #tables: (Table | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #ofEdge = new SeatLinks();
  readonly #ofShield = new SeatLinks();
  #queues = new Uint8Array(this.#ofEdge.size);
  /** When the player was asked last; by a clock that is never set back. */
  #askedAtMs = new Float64Array(this.#ofEdge.size);

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get seated(): number {
    return this.#edge.used;
  }

  /**
   * @param nowMs of a clock that is never set back, here and in `asked`
   * @returns the slot, which is the holder's until `leave`; `noSlot` if there is no room
   */
  enter(shieldId: string, nowMs: number, holder: SlotHolder): number {
    const { atOnceMax, perShieldMax } = this.#limits;
    const shield = this.#shields.get(shieldId) ?? new Table(shieldId);
    if (shield.used >= perShieldMax && !this.#clearOne(shield, nowMs)) return noSlot;
    if (this.#edge.used >= atOnceMax && !this.#clearOne(this.#edge, nowMs)) return noSlot;
    // Set after room was made, because that may have removed the shield's entry.
    this.#shields.set(shieldId, shield);
    const slot = this.#free.pop() ?? this.#holders.length;
    if (slot >= this.#queues.length) this.#grow();
    this.#holders[slot] = holder;
    this.#tables[slot] = shield;
    this.#queues[slot] = queues.none;
    this.#edge.used++;
    shield.used++;
    this.asked(slot, nowMs);
    return slot;
  }

  /** The player has answered, and has to answer again. */
  asked(slot: number, nowMs: number): void {
    this.#wait(slot, "asked", nowMs);
  }

  /** The same, but a person has to read the question and think: the slot is safe for longer. */
  reading(slot: number, nowMs: number): void {
    this.#wait(slot, "reading", nowMs);
  }

  /** The player has answered, and the edge works: until `asked` the slot is safe. */
  working(slot: number): void {
    const shield = this.#tables[slot];
    const queue = this.#queues[slot];
    if (shield === undefined || queue === queues.none) return;
    const name = queue === queues.asked ? "asked" : "reading";
    this.#ofEdge.remove(this.#edge[name], slot);
    this.#ofShield.remove(shield[name], slot);
    this.#queues[slot] = queues.none;
  }

  /** The player has passed or left; the slot is another's from now on. */
  leave(slot: number): void {
    const shield = this.#tables[slot];
    if (shield === undefined) return;
    this.working(slot);
    this.#holders[slot] = undefined;
    this.#tables[slot] = undefined;
    this.#free.push(slot);
    this.#edge.used--;
    if (--shield.used === 0) this.#shields.delete(shield.shieldId);
  }

  #wait(slot: number, queue: Exclude<Queue, "none">, nowMs: number): void {
    const shield = this.#tables[slot];
    if (shield === undefined) return;
    this.working(slot);
    this.#ofEdge.append(this.#edge[queue], slot);
    this.#ofShield.append(shield[queue], slot);
    this.#queues[slot] = queues[queue];
    this.#askedAtMs[slot] = nowMs;
  }

  #clearOne(table: Table, nowMs: number): boolean {
    const { silentMs, readingMs } = this.#limits;
    return (
      this.#clearOldest(table, table.asked, nowMs - silentMs) ||
      this.#clearOldest(table, table.reading, nowMs - readingMs)
    );
  }

  /** @param askedBeforeMs players who were asked later keep their slots */
  #clearOldest(table: Table, { first }: SeatList, askedBeforeMs: number): boolean {
    const oldest = this.#holders[first];
    if (oldest === undefined || (this.#askedAtMs[first] ?? 0) > askedBeforeMs) return false;
    const before = table.used;
    oldest.makeRoom();
    return table.used < before;
  }

  #grow(): void {
    this.#ofEdge.grow();
    this.#ofShield.grow();
    const queuesBefore = this.#queues;
    const timesBefore = this.#askedAtMs;
    this.#queues = new Uint8Array(this.#ofEdge.size);
    this.#askedAtMs = new Float64Array(this.#ofEdge.size);
    this.#queues.set(queuesBefore);
    this.#askedAtMs.set(timesBefore);
  }
}
