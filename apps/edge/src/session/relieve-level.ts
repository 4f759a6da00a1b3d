import { type AntibotLevel, antibotLevels } from "@palisade/contract/edge/shield-config";
import type { AttackBoard } from "#src/protection/attack-board.ts";
import type { LoginFacts } from "#src/protection/login-facts.ts";
import type { VerifiedPlayers } from "#src/protection/shared/verified-players.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type LevelRelief, relaxed } from "#src/verification/relief.ts";

export interface ReliefDeps {
  readonly attacks: Pick<AttackBoard, "facts" | "relax" | "attackNumber">;
  readonly verified: Pick<VerifiedPlayers, "proofOf">;
  readonly relief: LevelRelief;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

/**
 * A player has not passed what the level asks of him. Where he is one who had been verified here
 * before, and others like him have failed too, the level relaxes for the rest of the attack.
 */
export function relieveLevel(
  { name, ip }: Pick<LoginFacts, "name" | "ip">,
  { id, attack, rules }: Pick<CompiledShield, "id" | "attack" | "rules">,
  { attacks, verified, relief, nowMs, monotonicMs }: ReliefDeps,
): void {
  if (attack === undefined) return;
  const { isUnderAttack, relaxedTo } = attacks.facts(attack, monotonicMs());
  const now = nowMs();
  if (!isUnderAttack || verified.proofOf(name, ip, now) === undefined) return;
  const { antibot } = rules.mitigation;
  const steps = stepsBetween(antibot, relaxedTo);
  const round = { shieldId: id, attack: attacks.attackNumber(attack), steps };
  if (!relief.failed(round, name, now)) return;
  const level = relaxed(antibot, steps + 1);
  if (level !== (relaxedTo ?? antibot)) attacks.relax(attack, relaxedTo, level, monotonicMs());
}

function stepsBetween(level: AntibotLevel, relaxedTo: AntibotLevel | null): number {
  if (relaxedTo === null) return 0;
  return Math.max(0, antibotLevels.indexOf(level) - antibotLevels.indexOf(relaxedTo));
}
