import { canEnterLimbo } from "@palisade/minecraft-protocol/java/limbo/place";
import { acknowledgesLogin } from "@palisade/minecraft-protocol/java/login-success";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import type { Challenge } from "./shared/verified-players.ts";

/** Whether players of this version can be asked for the challenge. */
export function canBeAsked(challenge: Challenge, protocol: number): boolean {
  return challenge === "gravity"
    ? canEnterLimbo(protocol) && !acknowledgesLogin(protocol)
    : atLeast(protocol, "1.7.2");
}
