import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import { AttackDetector } from "#src/rules/attack-detector.ts";
import { type AttackKey, attackKeyOf } from "#src/rules/attack-table.ts";

/** Shields and floods of logins, for tests of what detects attacks. */

/** A player who is in no flood. */
export const player = Uint8Array.of(203, 0, 113, 7);
/** Some time on a clock that has run for a while. */
export const start = 7_000_000_000;

export function shieldOf(n: number): string {
  return `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

interface WatchWish {
  readonly n?: number;
  readonly threshold?: number;
  readonly seconds?: number;
  readonly antibot?: AntibotLevel;
}

/** The rules of a shield whose flood begins with its sixth login of a second. */
export function watch({ n = 1, threshold = 5, seconds = 30, antibot = "extreme" }: WatchWish = {}) {
  return attackKeyOf({ shieldId: shieldOf(n), threshold, seconds, antibot });
}

export function createDetector(slots?: number): AttackDetector {
  return new AttackDetector(AttackDetector.allocate(slots === undefined ? {} : { slots }));
}

/** This many logins in one millisecond, each from a network of its own. */
export function join(detector: AttackDetector, of: AttackKey, logins: number, nowMs: number): void {
  for (let n = 0; n < logins; n++)
    detector.login(of, Uint8Array.of(10, n >> 8, n & 0xff, 1), nowMs);
}

export function isUnderAttack(detector: AttackDetector, of: AttackKey, nowMs: number): boolean {
  return detector.status(of, nowMs).isUnderAttack;
}
