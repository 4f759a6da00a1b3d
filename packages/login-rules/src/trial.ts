import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import type { MitigationRules, Trial } from "./login-attempt.ts";
import type { Challenge } from "./shared/verified-players.ts";

/** For which a player who has passed may join by the name: a table of verified players counts minutes. */
export const trialPassMs = 2 * 60_000;

/**
 * The shield's rules for players who come by the name: the whitelist exempts no player, there is no
 * cooldown, and shadow mode admits no one unchecked.
 */
export function trialRules(rules: MitigationRules, trial: Trial): MitigationRules {
  return {
    ...rules,
    trial,
    trusted: undefined,
    trustedNames: undefined,
    asks: true,
    shadow: false,
    rejoin_cooldown_ms: null,
  };
}

/**
 * The name under which a pass is remembered. No player has one like it, so what is passed at the trial
 * makes no player known elsewhere, and the other way round.
 */
export function trialName(name: string, { host }: Trial): string {
  return `${name}@${host.slice(0, host.indexOf("."))}`;
}

/** The check that the level asks of unknown players when it asks at all, unless the owner has chosen. */
export function trialChallenge(level: AntibotLevel, { challenge }: Trial): Challenge {
  if (challenge !== "level") return challenge;
  if (level === "extreme") return "captcha";
  return level === "high" ? "gravity" : "protocol";
}
