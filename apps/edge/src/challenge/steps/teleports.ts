import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import { placeAbove } from "./places.ts";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";
import { TeleportCheck } from "./teleport-check.ts";

const teleports = { least: 2, end: 4 } as const;
/** Blocks above the platform. */
const heights = { least: 2, end: 24 } as const;

/**
 * Two or three teleports that come together: the player confirms them in order, and says after each
 * that they are there.
 */
export class TeleportsStep implements ChallengeStep {
  readonly name = "teleports";
  readonly #open: TeleportCheck[];

  constructor(context: StepContext) {
    const count = context.random(teleports.least, teleports.end);
    this.#open = Array.from(
      { length: count },
      () => new TeleportCheck(context, placeAbove(context.random, heights.least, heights.end)),
    );
  }

  begin(): Buffer {
    return Buffer.concat(this.#open.map(({ packets }) => packets));
  }

  take(packet: LimboPacket): StepResult {
    const verdict = this.#open[0]?.take(packet) ?? "on";
    if (verdict !== "arrived") return verdict;
    this.#open.shift();
    return this.#open.length === 0 ? "passed" : "answered";
  }
}
