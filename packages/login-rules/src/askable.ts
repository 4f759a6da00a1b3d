import { canFall } from "@palisade/minecraft-protocol/java/gravity/arrival";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import type { Challenge } from "./shared/verified-players.ts";

/** Whether players of this version can be asked for the challenge. */
export function canBeAsked(challenge: Challenge, protocol: number): boolean {
  return challenge === "gravity" ? canFall(protocol) : atLeast(protocol, "1.7.2");
}
