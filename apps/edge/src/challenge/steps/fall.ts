import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { Fall, ticksToFall } from "@palisade/minecraft-protocol/java/limbo/fall";
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
    this.ticksMin = ticksToFall(this.#fall.height);
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
  /** The fall once the player has arrived. */
  #now: TeleportCheck | Fall;

  constructor(context: StepContext, { least, end }: { least: number; end: number }) {
    this.#now = new TeleportCheck(context, placeAbove(context.random, least, end));
  }

  /** Blocks above the platform, before the fall. */
  get height(): number {
    return this.#now instanceof Fall ? 0 : this.#now.place.y - platform.y;
  }

  get packets(): Buffer {
    return this.#now instanceof Fall ? Buffer.alloc(0) : this.#now.packets;
  }

  get ticks(): number {
    return this.#now instanceof Fall ? this.#now.ticks : 0;
  }

  /** `passed`: has landed. */
  take(packet: LimboPacket): "on" | "answered" | "passed" | FallFailure {
    const fall = this.#now;
    if (!(fall instanceof Fall)) return this.#travel(fall, packet);
    // Only this step's teleport can be confirmed now, and that has happened.
    if (packet.kind === "teleport-confirmed") return "wrong-echo";
    if (packet.kind !== "moved" && packet.kind !== "stood") return "on";
    const verdict = fall.accept(packet);
    if (verdict === "landed") return "passed";
    return verdict === "falling" ? "on" : verdict;
  }

  #travel(teleport: TeleportCheck, packet: LimboPacket): "on" | "answered" | FallFailure {
    const verdict = teleport.take(packet);
    if (verdict !== "arrived") return verdict;
    this.#now = new Fall(teleport.place, platform);
    return "answered";
  }
}

type FallFailure = "wrong-echo" | "wrong-position" | "no-fall" | "no-landing";
