import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import type { StepOutcome } from "../rules/step-outcome.ts";

export type StepName =
  | "keep-alive"
  | "fall"
  | "platform"
  | "teleports"
  | "held-item"
  | "vehicle"
  | "resource-pack"
  | "captcha";

/** An outcome, or packets for the client together with one; `on` when there is no outcome. */
export type StepResult =
  | StepOutcome
  | { readonly send: Buffer; readonly outcome?: "on" | "answered" | "passed" };

/** Facts that a step is made of. */
export interface StepContext {
  readonly protocol: number;
  /** Language of texts for the player. */
  readonly language: "en" | "ru";
  /** A whole number from `min` up to but not including `max` that no client can foresee. */
  readonly random: (min: number, max: number) => number;
  /**
   * The place of the hotbar that the client has last told in the limbo, in whichever step; undefined
   * if none, which means the first.
   */
  readonly selectedSlot?: number | undefined;
}

/**
 * One question to a client in the play state, which stands in the limbo. A state machine without
 * sockets or timers: the verification that owns it has the deadline. Steps come in random
 * order, so a step that needs the player in a certain place teleports them there first. It leaves
 * the player as a newcomer is: not in a vehicle, without effects.
 */
export interface ChallengeStep {
  readonly name: StepName;
  /** Ticks of the game that the answer takes at least; an honest client needs 50 ms for each. */
  readonly ticksMin?: number;
  /** Packets for the client. Called once, before `take`. */
  begin(): Buffer;
  /** Packets that do not concern the step come too, in whatever order the client sends them. */
  take(packet: LimboPacket): StepResult;
}
