import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { encodeHeldItem, hotbarSlots } from "@palisade/minecraft-protocol/java/limbo/held-item";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";

const noSlot = -1;
const rounds = 2;
/** A player who turns the mouse wheel in the very moment gets another question this often. */
const straysMax = 3;

/**
 * The edge selects a random place of the hotbar, twice, and the client says that it has selected it.
 *
 * Automatic: in every version since 1.7.2 a game compares, in each tick, the selected place with the one
 * that it last told, and tells a new one, whether the player or the server has selected it. The player
 * sees the selection jump, and does nothing.
 */
export class HeldItemStep implements ChallengeStep {
  readonly name = "held-item";
  readonly #protocol: number;
  readonly #random: StepContext["random"];
  /** Places asked for since the last right answer, one bit each. */
  #asked = 0;
  /** The one that was asked for last. */
  #open = noSlot;
  /** The client's place as far as it is known. */
  #selected: number;
  #answers = 0;
  #strays = 0;

  constructor({ protocol, random, selectedSlot = 0 }: StepContext) {
    this.#protocol = protocol;
    this.#random = random;
    this.#selected = selectedSlot;
  }

  begin(): Buffer {
    return this.#ask();
  }

  take(packet: LimboPacket): StepResult {
    // All teleports were confirmed before this step began.
    if (packet.kind === "teleport-confirmed") return "wrong-echo";
    if (packet.kind !== "held-item") return "on";
    const { slot } = packet;
    this.#selected = slot;
    if (slot === this.#open) return this.#answered();
    // The answer to a question that a move of the wheel has replaced.
    if (this.#isAsked(slot)) return "on";
    this.#strays++;
    return this.#strays > straysMax ? "wrong-echo" : { send: this.#ask() };
  }

  #answered(): StepResult {
    this.#asked = 0;
    this.#answers++;
    return this.#answers === rounds ? "passed" : { send: this.#ask(), outcome: "answered" };
  }

  /** A place that is neither selected nor asked for already: a client tells only changes. */
  #ask(): Buffer {
    const free: number[] = [];
    for (let slot = 0; slot < hotbarSlots; slot++) {
      if (slot !== this.#selected && !this.#isAsked(slot)) free.push(slot);
    }
    const slot = free[this.#random(0, free.length)] ?? 0;
    this.#open = slot;
    this.#asked |= 1 << slot;
    return encodeHeldItem(this.#protocol, slot) ?? Buffer.alloc(0);
  }

  /** @param slot of the client, which may be any number */
  #isAsked(slot: number): boolean {
    return slot >= 0 && slot < hotbarSlots && (this.#asked & (1 << slot)) !== 0;
  }
}
