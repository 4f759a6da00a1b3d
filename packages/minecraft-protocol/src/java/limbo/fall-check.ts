import { arrival } from "./place.ts";
import type { Movement } from "./movement.ts";

/**
 * Whether a client falls as the game has it: each tick it moves by its speed, and its speed becomes
 * (speed + 0.08) * 0.98 blocks a tick. Source: minecraft.wiki, "Entity", Motion of entities.
 *
 * Packets before the client is at `arrival` are ignored, and so is the first tick, in which it does not
 * move yet. Keys change the direction of a fall, never its speed. After a final verdict the caller stops.
 * The work is bounded by `packetsMax`.
 */

const gravity = 0.08;
const drag = 0.98;
/** In blocks; the difference between 32-bit and 64-bit drag is far smaller. */
const tolerance = 1e-4;

/** Movement packets after which the client has had enough time to fall. */
const packetsMax = 150;

export type FallVerdict = "falling" | "fell" | "wrong";

export class FallCheck {
  readonly #ticksWanted: number;
  #packets = 0;
  #ticks = 0;
  #speed = 0;
  /** The last height; undefined before the client has arrived. */
  #height: number | undefined;

  /** @param ticksWanted consecutive falling ticks; 8 tell a player from a bot that only answers packets */
  constructor(ticksWanted = 8) {
    this.#ticksWanted = ticksWanted;
  }

  accept(movement: Movement): FallVerdict {
    if (movement.kind === "malformed" || ++this.#packets > packetsMax) return "wrong";
    if (movement.kind === "teleport-confirmed") return "falling";
    if (this.#height === undefined) return this.#arrive(movement);
    if (movement.onGround) return "wrong";
    if (movement.kind === "stood") return "falling";
    return this.#fall(this.#height, movement.y);
  }

  #arrive(movement: Movement): FallVerdict {
    if (movement.kind === "moved" && isArrival(movement)) this.#height = movement.y;
    return "falling";
  }

  #fall(from: number, to: number): FallVerdict {
    this.#height = to;
    const fallen = from - to;
    if (fallen === 0 && this.#ticks === 0) return "falling";
    this.#speed = (this.#speed + gravity) * drag;
    // Written so that NaN is wrong.
    if (!(Math.abs(fallen - this.#speed) < tolerance)) return "wrong";
    this.#ticks++;
    return this.#ticks >= this.#ticksWanted ? "fell" : "falling";
  }
}

function isArrival({ x, y, z }: { x: number; y: number; z: number }): boolean {
  return x === arrival.x && y === arrival.y && z === arrival.z;
}
