import { canEnterLimbo } from "@palisade/minecraft-protocol/java/limbo/place";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import type { Challenge } from "./shared/verified-players.ts";

/** Whether players of this version can be asked for the challenge. */
export function canBeAsked(challenge: Challenge, protocol: number): boolean {
  const isInLimbo = challenge === "gravity" || challenge === "captcha";
  return isInLimbo ? canEnterLimbo(protocol) : atLeast(protocol, "1.7.2");
}
