import { atLeast } from "../versions.ts";

/**
 * The shape of the limbo, the same in every version: one chunk of air with a floor of stone, and walls
 * of glass around it, because a client does not tick in a chunk that it does not have. The world is 256
 * blocks high from 0 on; where the game's own is higher, our dimension type says so (registries.ts).
 *
 * A player's box is 0.6 wide, so the walls stop feet at 1.3 and 14.7.
 */

export interface Position {
  readonly x: number;
  /** Height of the feet. */
  readonly y: number;
  readonly z: number;
}

/** Position of arriving players: the middle of the chunk, high above the floor. */
export const arrival: Position = { x: 8.5, y: 250, z: 8.5 };

/** Sections are 16 blocks high and count from 0. */
export const floorSection = 13;
export const worldSections = 16;

/** Height of feet that stand on the floor. */
export const platformHeight: number = 16 * floorSection + 1;

/** The walls stand on the outermost blocks of the floor, as high as its section. */
const wallLow = 0;
const wallHigh = 15;

export type LimboBlock = "air" | "stone" | "glass";

/** The block at x, y, z (0 to 15) of the floor's section; every other section is air. */
export function floorBlock(x: number, y: number, z: number): LimboBlock {
  if (y === 0) return "stone";
  const isWall = x === wallLow || x === wallHigh || z === wallLow || z === wallHigh;
  return isWall ? "glass" : "air";
}

/** Blocks of the floor's section that are not air. */
export const solidBlocks: number = 16 * 16 + 15 * 4 * 15;

/** Whether the version has a limbo. Numbers after the table have that of its newest version. */
export function canEnterLimbo(protocol: number): boolean {
  return atLeast(protocol, "1.7.2");
}
