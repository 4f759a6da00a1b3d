import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";

/** An attack lasts at least this long after the last excess, so that waves of bots are one. */
export const attackSecondsMin = 10;

/** Datagrams that open nothing are so many times as frequent as logins: players look at the list of servers. */
const datagramsPerLogin = 100;
/** However low the owner's threshold, fewer datagrams in a second are no attack. */
const datagramsMin = 1_000;

/** Datagrams of Bedrock outside of a connection, in a second, above which they are an attack. */
export function datagramThreshold({ threshold }: Pick<AttackRules, "threshold">): number {
  return Math.max(datagramsMin, datagramsPerLogin * threshold);
}

/** Says when logins are an attack. */
export interface AttackRules {
  /** Null: on the edge as a whole. */
  readonly shieldId: string | null;
  /** Logins in a second above which it is one. */
  readonly threshold: number;
  /** How long the attack lasts after the last second in excess. */
  readonly seconds: number;
  /** As the owner has set it. */
  readonly antibot: AntibotLevel;
}

/** Undefined if the owner has set no threshold: then nothing is an attack. */
export function attackRulesOf(
  shieldId: string,
  { attack_threshold, attack_duration_ms, antibot }: MitigationConfig,
): AttackRules | undefined {
  if (attack_threshold === null) return undefined;
  const seconds = Math.max(attackSecondsMin, Math.ceil(attack_duration_ms / 1_000));
  return { shieldId, threshold: attack_threshold, seconds, antibot };
}

/** The attack as rules see it. */
export interface AttackStatus {
  readonly isUnderAttack: boolean;
  /** The level that acts instead of the owner's, because many verified players have failed. */
  readonly relaxedTo: AntibotLevel | null;
}

/**
 * Whether a second still belongs to the attack whose last excess was in `excessSecond`. An excess
 * in the future (the clock was set back) is one of now.
 */
export function isWithinAttack(excessSecond: number, second: number, seconds: number): boolean {
  return second - excessSecond <= seconds;
}
