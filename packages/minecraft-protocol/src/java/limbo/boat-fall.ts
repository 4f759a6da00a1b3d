/**
 * How a boat falls whose player presses no key or any: in each tick its speed grows by 0.04 blocks a
 * tick, and then it moves by its speed. Air does not slow the fall; keys turn the boat and push it to
 * the side, never up or down. Source: minecraft.wiki, "Entity", Motion of entities (boats: acceleration
 * 0.04, no drag); 32-bit 0.04 before 1.20.5.
 */

const gravity = 0.04;
/** In blocks; the difference between 32-bit and 64-bit gravity is far smaller. */
const tolerance = 1e-4;
/** A rowed boat reaches 0.4 blocks a tick in the air. */
const sidewaysMax = 0.5;

interface Position {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Follows a boat from the place where it appeared at rest. */
export class BoatFall {
  #at: Position;
  #speed = 0;
  #ticks = 0;

  constructor(from: Position) {
    this.#at = from;
  }

  /** The boat's place. */
  get at(): Position {
    return this.#at;
  }

  /** Ticks that the boat has fallen. */
  get ticks(): number {
    return this.#ticks;
  }

  /** Whether a boat of the game is there one tick later. After false the caller stops. */
  accept(to: Position): boolean {
    const fallen = this.#at.y - to.y;
    const sideways = Math.max(Math.abs(to.x - this.#at.x), Math.abs(to.z - this.#at.z));
    this.#at = to;
    this.#speed += gravity;
    this.#ticks++;
    // Written so that NaN is wrong.
    return Math.abs(fallen - this.#speed) < tolerance && sideways < sidewaysMax;
  }
}
