import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import type { LoginAttempt, ProtectionState, Refusal } from "./login-attempt.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import type { Challenge } from "./shared/verified-players.ts";

/** One connection as the rules see it. */
export interface ConnectionContext {
  readonly facts: Pick<LoginAttempt, "ip" | "attack">;
  readonly rules: MitigationRules;
  readonly state: ProtectionState;
  readonly nowMs: number;
  /** The level that acts: the owner's, or what it was relaxed to. */
  readonly level: AntibotLevel;
  /** The strongest challenge the player has passed, here or before a transfer. */
  readonly passed: Challenge | undefined;
}

/** One login. */
export interface LoginContext extends ConnectionContext {
  readonly facts: LoginAttempt;
  /** 1 if its name is a new one that is noted, and counts among the names like it. */
  readonly newNames: 0 | 1;
}

export function refusalOf(reason: Refusal["reason"], fact: string, value: string): Refusal {
  return { reason, facts: { [fact]: value } };
}
