import { arrival } from "./arrival.ts";
import type { Movement } from "./movement.ts";

/**
 * Whether a client falls as the game has it: each tick it moves by its speed, and its speed becomes
 * (speed + 0.08) * 0.98 blocks a tick. Source: minecraft.wiki, "Entity", Motion of entities.
 *
 * What is sent before the client is at `arrival` is not held against it, nor is the first tick, in
 * which it does not move yet. Keys change where it falls to, never how fast. Everything that ends is
 * said once: the caller feeds it no further. The work is bounded by `packetsMax`, however long the
 * client goes on.
 */

const gravity = 0.08;
const drag = 0.98;
/** Blocks: what lies between drags of 32 and of 64 bits stays far below. */
const tolerance = 1e-4;

/** Of movement, after which the client has had time enough to fall. */
const packetsMax = 150;

export type FallVerdict = "falling" | "fell" | "wrong";

export class FallCheck {
  readonly #ticksWanted: number;
  #packets = 0;
  #ticks = 0;
  #speed = 0;
  /** Height said last; undefined before the client has arrived. */
  #height: number | undefined;

  /** @param ticksWanted falling ticks in a row; 8 tell a player from what only answers packets */
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
    // Written so that what is no number is wrong.
    if (!(Math.abs(fallen - this.#speed) < tolerance)) return "wrong";
    this.#ticks++;
    return this.#ticks >= this.#ticksWanted ? "fell" : "falling";
  }
}

function isArrival({ x, y, z }: { x: number; y: number; z: number }): boolean {
  return x === arrival.x && y === arrival.y && z === arrival.z;
}
