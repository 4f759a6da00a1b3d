import type { AttackBoard } from "#src/protection/attack-board.ts";
import type { LoginFacts } from "#src/protection/login-facts.ts";
import { provesAccount } from "#src/protection/required-proof.ts";
import type { VerifiedPlayers } from "#src/protection/shared/verified-players.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type LevelRelief, regularMs } from "#src/verification/relief.ts";

export interface ReliefDeps {
  readonly attacks: Pick<AttackBoard, "facts" | "ageMs" | "relax" | "attackNumber">;
  readonly verified: Pick<VerifiedPlayers, "provenAtMs">;
  readonly relief: LevelRelief;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

/**
 * A player has not passed what the level asks of him. Where he is one who has long been known here,
 * and others like him have failed too, the level relaxes for the rest of the attack.
 *
 * From extreme to high, and no further: the levels below ask nothing of who is known.
 */
export function relieveLevel(
  player: Pick<LoginFacts, "name" | "ip" | "protocol">,
  { attack, rules: { mitigation } }: Pick<CompiledShield, "attack" | "rules">,
  { attacks, verified, relief, nowMs, monotonicMs }: ReliefDeps,
): void {
  if (attack === undefined || mitigation.antibot !== "extreme") return;
  // Another level would ask the same of him.
  if (provesAccount(player.protocol, mitigation)) return;
  const atMs = monotonicMs();
  const { isUnderAttack, relaxedTo } = attacks.facts(attack, atMs);
  if (!isUnderAttack || relaxedTo !== null) return;
  const now = nowMs();
  const provenAtMs = verified.provenAtMs(player.name, player.ip, now);
  const regularSinceMs = now - attacks.ageMs(attack, atMs) - regularMs;
  if (provenAtMs === undefined || provenAtMs > regularSinceMs) return;
  const round = { shield: mitigation.shield, attack: attacks.attackNumber(attack) };
  if (relief.failed(round, player, now)) attacks.relax(attack, null, "high", atMs);
}
