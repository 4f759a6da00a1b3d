import {
  type AttackStatus,
  attackRulesOf,
  isWithinAttack,
} from "@palisade/login-rules/attack-rules";
import { loginsPerShieldMax } from "@palisade/contract/edge/plain-values";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import type { RecordedAttack } from "./replay.repository.ts";
import type { ReplayedAttempt } from "./replayed-login.ts";

/** Says whether the shield was under attack when a login came. Logins are told in their order. */
export interface AttackTimes {
  statusAt(attempt: ReplayedAttempt): AttackStatus;
}

const quiet: AttackStatus = { isUnderAttack: false, relaxedTo: null };
const underAttack: AttackStatus = { isUnderAttack: true, relaxedTo: null };

/** The attacks as the edges saw them. */
export function recordedAttackTimes(attacks: readonly RecordedAttack[]): AttackTimes {
  const byEdge = Map.groupBy(attacks, ({ edgeId }) => edgeId);
  return {
    statusAt({ attack, entry, decidedAtMs }) {
      if (attack !== undefined) return attack;
      const isWithin = byEdge
        .get(entry.edgeId)
        ?.some(
          ({ startedAt, endedAt }) =>
            decidedAtMs >= startedAt.getTime() &&
            (endedAt === null || decidedAtMs <= endedAt.getTime()),
        );
      return isWithin === true ? underAttack : quiet;
    },
  };
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Seconds {
  second: number;
  logins: number;
  /** The last second in which the edge left logins out of the log. */
  full: { readonly second: number; logins: number } | undefined;
  /** The last second above the threshold. */
  excess: number;
}

/**
 * The attacks as they would have been under another threshold or duration: from the logins of each
 * second in the log, and from the courses of recorded attacks, which count what a flood left out of
 * the log.
 */
export function computedAttackTimes(
  shieldId: string,
  config: MitigationConfig,
  attacks: readonly RecordedAttack[],
): AttackTimes {
  const rules = attackRulesOf(shieldId, config);
  if (rules === undefined) return { statusAt: () => quiet };
  const { threshold, seconds: lasts } = rules;
  const spans = new Map<string, Span[]>();
  for (const { edgeId, course } of attacks) {
    if (course === null) continue;
    const own = spans.get(edgeId) ?? [];
    own.push(...spansOf(course, threshold, lasts));
    spans.set(edgeId, own);
  }
  const edges = new Map<string, Seconds>();
  return {
    statusAt({ entry: { edgeId }, decidedAtMs, leftOut, attack }) {
      const second = Math.floor(decidedAtMs / 1_000);
      const counted = edges.get(edgeId) ?? {
        second,
        logins: 0,
        full: undefined,
        excess: Number.NEGATIVE_INFINITY,
      };
      edges.set(edgeId, counted);
      count(counted, second, leftOut, threshold);
      const isWithin =
        isWithinAttack(counted.excess, second, lasts) ||
        spans.get(edgeId)?.some(({ fromMs, toMs }) => decidedAtMs >= fromMs && decidedAtMs < toMs);
      if (isWithin !== true) return quiet;
      return attack?.isUnderAttack === true ? attack : underAttack;
    },
  };
}

/**
 * A thread of an edge tells how many it left out with the next login that it logs, maybe hours later.
 * They count in the last second of which the log has as many as an edge keeps.
 */
function count(counted: Seconds, second: number, leftOut: number, threshold: number): void {
  if (second !== counted.second) {
    counted.second = second;
    counted.logins = 0;
  }
  counted.logins++;
  if (counted.logins >= loginsPerShieldMax) {
    const before = counted.full?.second === second ? counted.full.logins : counted.logins - 1;
    counted.full = { second, logins: before + 1 };
  }
  const { full } = counted;
  if (full !== undefined) {
    full.logins += leftOut;
    if (full.logins > threshold) counted.excess = Math.max(counted.excess, full.second);
  }
  if (counted.logins > threshold) counted.excess = second;
}

/** The times of an attack's course in which an attack of this threshold would have lasted. */
function spansOf(
  { from, step, peaks }: NonNullable<RecordedAttack["course"]>,
  threshold: number,
  lasts: number,
): Span[] {
  return peaks.flatMap((peak, index) => {
    if (peak <= threshold) return [];
    const begin = from + index * step;
    return [{ fromMs: begin * 1_000, toMs: (begin + step + lasts) * 1_000 }];
  });
}
