import type { Floor } from "@palisade/minecraft-protocol/java/limbo/fall";
import { platformHeight, type Position } from "@palisade/minecraft-protocol/java/limbo/place";
import type { StepContext } from "./step.ts";

/** Places in the limbo to which players are teleported, all above its platform. */

/** Places have that many different fractions of a block, each of which a double holds exactly. */
export const placeParts = 1_024;
/** Away from the walls: a player who runs while they fall is still in the air. */
const [low, high] = [4, 12];

/** The whole of the limbo's only chunk; there are walls around it. */
export const platform: Floor = { y: platformHeight, minX: 0, maxX: 16, minZ: 0, maxZ: 16 };

/** @param least in blocks above the platform; likewise `end`, which is never reached */
export function placeAbove(random: StepContext["random"], least: number, end: number): Position {
  const within = (from: number, to: number): number =>
    random(from * placeParts, to * placeParts) / placeParts;
  return { x: within(low, high), y: platform.y + within(least, end), z: within(low, high) };
}
