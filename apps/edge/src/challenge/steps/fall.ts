import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { Fall, ticksToFall } from "@palisade/minecraft-protocol/java/limbo/fall";
import type { Position } from "@palisade/minecraft-protocol/java/limbo/place";
import { placeAbove, platform } from "./places.ts";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";
import { TeleportCheck } from "./teleport-check.ts";

/** Ticks of a fall in the air: less than a second. A bot that only answers packets passes none. */
const ticks = { least: 10, end: 17 } as const;
/** Blocks above the platform: higher than a player falls in these ticks. */
const heights = { least: 14, end: 24 } as const;
/** Blocks above the platform from which players fall onto it. */
const landingHeights = { least: 2, end: 7 } as const;

/** The player falls through the air, exactly as the game has it, for a random number of ticks. */
export class FallStep implements ChallengeStep {
  readonly name = "fall";
  readonly ticksMin: number;
  readonly #fall: FallCheck;

  constructor(context: StepContext) {
    this.ticksMin = context.random(ticks.least, ticks.end);
    this.#fall = new FallCheck(context, heights);
  }

  begin(): Buffer {
    return this.#fall.packets;
  }

  take(packet: LimboPacket): StepResult {
    const outcome = this.#fall.take(packet);
    // The platform is further down.
    if (outcome === "passed" || outcome === "no-landing") return "no-fall";
    return outcome === "on" && this.#fall.ticks >= this.ticksMin ? "passed" : outcome;
  }
}

/**
 * The player falls onto the platform: they stop at exactly its height, in the tick in which they reach
 * it, and say that they stand. A bot that computes a fall, but has no world, falls through it.
 */
export class PlatformStep implements ChallengeStep {
  readonly name = "platform";
  readonly ticksMin: number;
  readonly #fall: FallCheck;

  constructor(context: StepContext) {
    this.#fall = new FallCheck(context, landingHeights);
    this.ticksMin = ticksToFall(this.#fall.from.y - platform.y);
  }

  begin(): Buffer {
    return this.#fall.packets;
  }

  take(packet: LimboPacket): StepResult {
    return this.#fall.take(packet);
  }
}

/** A teleport into the air and the fall after it. */
class FallCheck {
  readonly from: Position;
  readonly #teleport: TeleportCheck;
  readonly #fall: Fall;
  #hasArrived = false;

  constructor(context: StepContext, { least, end }: { least: number; end: number }) {
    this.from = placeAbove(context.random, least, end);
    this.#teleport = new TeleportCheck(context, this.from);
    this.#fall = new Fall(this.from, platform);
  }

  get packets(): Buffer {
    return this.#teleport.packets;
  }

  get ticks(): number {
    return this.#fall.ticks;
  }

  /** `passed`: has landed. */
  take(packet: LimboPacket): "on" | "answered" | "passed" | FallFailure {
    if (!this.#hasArrived) return this.#travel(packet);
    // Only this step's teleport can be confirmed now, and that has happened.
    if (packet.kind === "teleport-confirmed") return "wrong-echo";
    if (packet.kind !== "moved" && packet.kind !== "stood") return "on";
    const verdict = this.#fall.accept(packet);
    if (verdict === "landed") return "passed";
    return verdict === "falling" ? "on" : verdict;
  }

  #travel(packet: LimboPacket): "on" | "answered" | FallFailure {
    const verdict = this.#teleport.take(packet);
    if (verdict !== "arrived") return verdict;
    this.#hasArrived = true;
    return "answered";
  }
}

type FallFailure = "wrong-echo" | "wrong-position" | "no-fall" | "no-landing";
