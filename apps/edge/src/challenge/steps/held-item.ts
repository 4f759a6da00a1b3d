import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { encodeHeldItem, hotbarSlots } from "@palisade/minecraft-protocol/java/limbo/held-item";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";

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
  readonly #context: StepContext;
  /** Places asked for since the last right answer; the last one is open. */
  #asked: number[] = [];
  /** The client's place as far as it is known. */
  #selected: number;
  #answers = 0;
  #strays = 0;

  constructor(context: StepContext) {
    this.#context = context;
    this.#selected = context.selectedSlot ?? 0;
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
    if (slot === this.#asked.at(-1)) return this.#answered();
    // The answer to a question that a move of the wheel has replaced.
    if (this.#asked.includes(slot)) return "on";
    this.#strays++;
    return this.#strays > straysMax ? "wrong-echo" : { send: this.#ask() };
  }

  #answered(): StepResult {
    this.#asked = [];
    this.#answers++;
    return this.#answers === rounds ? "passed" : { send: this.#ask(), outcome: "answered" };
  }

  /** A place that is neither selected nor asked for already: a client tells only changes. */
  #ask(): Buffer {
    const { protocol, random } = this.#context;
    const taken = new Set([...this.#asked, this.#selected]);
    const free = Array.from({ length: hotbarSlots }, (_, slot) => slot).filter(
      (slot) => !taken.has(slot),
    );
    const slot = free[random(0, free.length)] ?? 0;
    this.#asked.push(slot);
    return encodeHeldItem(protocol, slot) ?? Buffer.alloc(0);
  }
}
