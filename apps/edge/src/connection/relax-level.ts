import type { AttackDetector } from "#src/rules/attack-detector.ts";
import type { LoginAttempt } from "#src/rules/login-attempt.ts";
import { requiresAccount } from "#src/rules/login-rules.ts";
import type { VerifiedPlayers } from "#src/rules/shared/verified-players.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type FalsePositiveDetector, regularMs } from "#src/challenge/false-positive-detector.ts";

export interface RelaxLevelDeps {
  readonly attacks: Pick<AttackDetector, "status" | "ageMs" | "relax" | "attackNumber">;
  readonly verified: Pick<VerifiedPlayers, "passedAtMs">;
  readonly falsePositives: FalsePositiveDetector;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
}

/**
 * A player has failed the challenge of the level. If they have been known here for long, and others
 * like them have failed too, the level relaxes for the rest of the attack.
 *
 * It relaxes from extreme to high and no further: the levels below do not challenge known players.
 */
export function relaxLevel(
  player: Pick<LoginAttempt, "name" | "ip" | "protocol">,
  { attack, rules: { mitigation } }: Pick<CompiledShield, "attack" | "rules">,
  { attacks, verified, falsePositives, nowMs, monotonicMs }: RelaxLevelDeps,
): void {
  if (attack === undefined || mitigation.antibot !== "extreme") return;
  // Another level would require the same of the player.
  if (requiresAccount(player.protocol, mitigation)) return;
  const atMs = monotonicMs();
  const { isUnderAttack, relaxedTo } = attacks.status(attack, atMs);
  if (!isUnderAttack || relaxedTo !== null) return;
  const now = nowMs();
  const provenAtMs = verified.passedAtMs(player.name, player.ip, now);
  const regularSinceMs = now - attacks.ageMs(attack, atMs) - regularMs;
  if (provenAtMs === undefined || provenAtMs > regularSinceMs) return;
  const round = { shield: mitigation.shield, attack: attacks.attackNumber(attack) };
  if (falsePositives.failed(round, player, now)) attacks.relax(attack, null, "high", atMs);
}
