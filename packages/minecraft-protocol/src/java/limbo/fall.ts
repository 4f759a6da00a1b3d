import type { Movement } from "./movement.ts";
import type { Position } from "./place.ts";

/**
 * How a player falls and lands, tick by tick. In each tick the client first moves by its speed, and then
 * its speed becomes (speed + 0.08) * 0.98 blocks a tick; where a block is in the way, it stops on top of
 * it and reports that it stands on the ground. Source: minecraft.wiki, "Entity", Motion of entities; the
 * same in every version from 1.7.2 on. The games round the speed of other axes to zero below 0.003
 * (0.005 before 1.9), which a fall never comes near. Every tick of a fall in the air is longer than the
 * distance from which on a client reports its position (0.03 blocks); the last one, onto a floor, may not
 * be.
 *
 * Keys change the direction of a fall, never its speed.
 */

const gravity = 0.08;
const drag = 0.98;
/** In blocks; the difference between 32-bit and 64-bit drag is far smaller. */
const tolerance = 1e-4;
/** A client that moves less than this in a tick may tell only that it stands now. */
const unreportedMax = 0.03;
/** Blocks to the side in one tick; a player in the air who runs makes a third of it. */
const sidewaysMax = 1;
/** Half the width of a player. */
const halfWidth = 0.3;
/** Near an edge a step to the side in the last tick decides, so both landing and falling on are right. */
const edgeMargin = 0.05;

/** A floor of full blocks: it is hit where any part of the player is above it. */
export interface Floor {
  /** Height of its top. */
  readonly y: number;
  readonly minX: number;
  readonly maxX: number;
  readonly minZ: number;
  readonly maxZ: number;
}

/** `no-fall`: does not move as the game falls. `no-landing`: falls through the floor, or stands on air. */
export type FallVerdict = "falling" | "landed" | "no-fall" | "no-landing";

/** Follows a client from a place where it was put at rest. After a final verdict the caller stops. */
export class Fall {
  readonly #floor: Floor | undefined;
  #at: Position;
  #ticks = 0;
  #speed = 0;

  constructor(from: Position, floor: Floor | undefined) {
    this.#at = from;
    this.#floor = floor;
  }

  /** Ticks that the client has fallen. */
  get ticks(): number {
    return this.#ticks;
  }

  /** @param movement after the client has confirmed the place */
  accept(movement: Extract<Movement, { kind: "moved" | "stood" }>): FallVerdict {
    if (movement.kind === "stood") return this.#stand(movement.onGround);
    const { x, y, z, onGround } = movement;
    const from = this.#at;
    const fallen = from.y - y;
    this.#at = { x, y, z };
    const isAside = Math.abs(from.x - x) < sidewaysMax && Math.abs(from.z - z) < sidewaysMax;
    if (!isAside) return "no-fall";
    // The first ticks: the client does not move before its speed has changed.
    if (fallen === 0 && this.#ticks === 0) return onGround ? "no-landing" : "falling";
    this.#speed = speedAfter(this.#speed);
    this.#ticks++;
    const isAsFallen = isNear(fallen, this.#speed);
    const hit = this.#hitBetween(from, from.y - this.#speed);
    if (hit !== undefined && onGround && isNear(y, hit.y)) return "landed";
    if (onGround) return "no-landing";
    if (hit === undefined || isNearEdge(hit, from)) return isAsFallen ? "falling" : "no-fall";
    return isAsFallen ? "no-landing" : "no-fall";
  }

  #stand(onGround: boolean): FallVerdict {
    if (!onGround) return "falling";
    const from = this.#at;
    const hit = this.#hitBetween(from, from.y - speedAfter(this.#speed));
    return hit !== undefined && from.y - hit.y <= unreportedMax ? "landed" : "no-landing";
  }

  /** The floor, where the player is above it and the next tick ends below its top. */
  #hitBetween(from: Position, below: number): Floor | undefined {
    const floor = this.#floor;
    if (floor === undefined || from.y < floor.y - tolerance || below > floor.y) return undefined;
    return isAbove(floor, from, halfWidth + edgeMargin) ? floor : undefined;
  }
}

/** Ticks until a client at rest that far above a floor stands on it. */
export function ticksToFall(blocks: number): number {
  let [ticks, speed, fallen] = [0, 0, 0];
  while (fallen < blocks) {
    speed = speedAfter(speed);
    fallen += speed;
    ticks++;
  }
  return ticks;
}

function speedAfter(speed: number): number {
  return (speed + gravity) * drag;
}

/** Written so that NaN is not near to anything. */
function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < tolerance;
}

function isAbove({ minX, maxX, minZ, maxZ }: Floor, { x, z }: Position, reach: number): boolean {
  return x > minX - reach && x < maxX + reach && z > minZ - reach && z < maxZ + reach;
}

function isNearEdge(floor: Floor, at: Position): boolean {
  return !isAbove(floor, at, halfWidth - edgeMargin);
}
