import { edgeAttackKey } from "#src/rules/attack-table.ts";
import type { AttackDetector } from "#src/rules/attack-detector.ts";
import type { AttackStatus } from "#src/rules/attack-state.ts";
import type { LoginAttempt, ProtectionState } from "#src/rules/login-attempt.ts";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { FalsePositiveDetector } from "#src/challenge/false-positive-detector.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { RelaxLevelDeps } from "./relax-level.ts";

/** A login whose shield is known, or that has none. */
export interface LoginRequest extends LoginAttempt {
  /** The shield of the named host; undefined if there is none. */
  readonly shield: CompiledShield | undefined;
  /** The code that its player reads in a kick. */
  readonly trace: string;
}

/** State and rules for the verdict on logins. */
export interface Mitigation extends ProtectionState {
  readonly attacks: RelaxLevelDeps["attacks"] & Pick<AttackDetector, "login" | "refused">;
  readonly falsePositives: FalsePositiveDetector;
  /** Time of day: all threads of the edge have it in common, and it goes on over restarts. */
  readonly nowMs: () => number;
  /** The clock that attacks are counted by. */
  readonly monotonicMs: () => number;
}

const quiet: AttackStatus = { isUnderAttack: false, relaxedTo: null };

/**
 * Counts a login, whatever becomes of it. Those to unknown hosts count for the edge alone.
 *
 * @returns the attack on its shield
 */
export function countArrival(
  ip: IpBytes,
  shield: CompiledShield | undefined,
  { attacks, monotonicMs }: Mitigation,
): AttackStatus {
  const atMs = monotonicMs();
  attacks.login(edgeAttackKey, ip, atMs);
  if (shield === undefined) return quiet;
  shield.counters.logins++;
  return shield.attack === undefined ? quiet : attacks.login(shield.attack, ip, atMs);
}

/** The attack on the shield by now. */
export function attackOn(
  { attack }: CompiledShield,
  { attacks, monotonicMs }: Mitigation,
): AttackStatus {
  return attack === undefined ? quiet : attacks.status(attack, monotonicMs());
}
