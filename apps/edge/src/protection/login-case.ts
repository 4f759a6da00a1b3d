import type { AntibotLevel } from "@palisade/contract/edge/shield-config";
import type { LoginFacts, LoginKnowledge, Refusal } from "./login-facts.ts";
import type { MitigationRules } from "./mitigation-rules.ts";
import type { Proof } from "./shared/verified-players.ts";

/** One connection as the rules look at it. */
export interface Connection {
  readonly facts: Pick<LoginFacts, "ip" | "attack">;
  readonly rules: MitigationRules;
  readonly knowledge: LoginKnowledge;
  readonly nowMs: number;
  /** The level that acts: the owner's, or what it was relaxed to. */
  readonly level: AntibotLevel;
  /** The strongest proof the player has given, here or where he comes from. */
  readonly proof: Proof | undefined;
}

/** One login. */
export interface Case extends Connection {
  readonly facts: LoginFacts;
}

export function refusalOf(reason: Refusal["reason"], fact: string, value: string): Refusal {
  return { reason, facts: { [fact]: value } };
}
