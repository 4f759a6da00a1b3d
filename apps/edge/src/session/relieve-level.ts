import type { AttackBoard } from "#src/protection/attack-board.ts";
import type { LoginFacts } from "#src/protection/login-facts.ts";
import type { VerifiedPlayers } from "#src/protection/shared/verified-players.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type LevelRelief, relaxed } from "#src/verification/relief.ts";

export interface ReliefDeps {
  readonly attacks: Pick<AttackBoard, "facts" | "relax">;
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
  // What is remembered is of an attack that is over.
  if (relaxedTo === null && relief.steps(id) > 0) relief.ended(id);
  if (!relief.failed(id, name, now)) return;
  const { antibot } = rules.mitigation;
  const level = relaxed(antibot, relief.steps(id));
  if (level !== antibot) attacks.relax(attack, level, monotonicMs());
}
