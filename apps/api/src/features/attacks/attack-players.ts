import type { AttackPlayers } from "@palisade/contract/http/attacks";

/** How long before and after the attack players are counted. */
export const aroundMs = 15 * 60_000;
const pointsMax = 180;
const hourMs = 3_600_000;
/** Steps in which counters are stored, and how old they get; an hour of reserve for the rollups. */
const steps = [
  { seconds: 60, keptMs: 47 * hourMs },
  { seconds: 600, keptMs: 13 * 24 * hourMs },
  { seconds: 3_600, keptMs: Number.POSITIVE_INFINITY },
  { seconds: 86_400, keptMs: Number.POSITIVE_INFINITY },
];

/** Players of a step; a step may come in several points. */
export interface PlayerPoint {
  /** Unix time in seconds. */
  readonly at: number;
  readonly playerSeconds: number;
}

export interface PlayersSpan {
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
}

/** The time around an attack in steps of which there are not too many. */
export function playersSpan(
  { startedAt, endedAt }: { readonly startedAt: Date; readonly endedAt: Date | null },
  now: Date,
): PlayersSpan {
  const begin = startedAt.getTime() - aroundMs;
  const end = Math.min(now.getTime(), (endedAt ?? now).getTime() + aroundMs);
  const seconds = Math.max(60, (end - begin) / 1_000);
  const ageMs = now.getTime() - begin;
  const step = steps.find((each) => ageMs < each.keptMs && seconds / each.seconds <= pointsMax);
  const stepSeconds = step?.seconds ?? 86_400;
  const stepMs = stepSeconds * 1_000;
  return {
    from: new Date(Math.floor(begin / stepMs) * stepMs),
    // The running step is still without its last report.
    to: new Date(Math.max(begin + stepMs, Math.floor(end / stepMs) * stepMs)),
    stepSeconds,
  };
}

/** Mean players by step. Undefined if nothing was reported in all that time. */
export function presentPlayers(
  points: readonly PlayerPoint[],
  { from, to, stepSeconds }: PlayersSpan,
  attack: { readonly startedAt: Date; readonly endedAt: Date | null },
  now: Date,
): AttackPlayers | null {
  if (points.length === 0) return null;
  const known = new Map<number, number>();
  for (const { at, playerSeconds } of points)
    known.set(at, (known.get(at) ?? 0) + playerSeconds / stepSeconds);
  const begin = Math.floor(from.getTime() / 1_000);
  const length = Math.max(1, Math.ceil((to.getTime() / 1_000 - begin) / stepSeconds));
  const online = Array.from({ length }, (_, index) =>
    rounded(known.get(begin + index * stepSeconds) ?? 0),
  );
  const mean = (fromMs: number, toMs: number): number | null => {
    const values = online.filter((_, index) => {
      const at = (begin + index * stepSeconds) * 1_000;
      return at >= fromMs && at + stepSeconds * 1_000 <= toMs;
    });
    if (values.length === 0) return null;
    return rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
  };
  const { startedAt, endedAt } = attack;
  const afterMs = endedAt === null ? Infinity : endedAt.getTime() + aroundMs;
  const stepMs = stepSeconds * 1_000;
  // Whole steps alone belong to before and after; the ones at the edges of the attack are of the attack.
  const duringFrom = Math.floor(startedAt.getTime() / stepMs) * stepMs;
  const duringTo = Math.ceil((endedAt ?? now).getTime() / stepMs) * stepMs;
  return {
    before: mean(0, duringFrom),
    during: mean(duringFrom, duringTo),
    after: now.getTime() < afterMs ? null : mean(duringTo, Infinity),
    from: from.toISOString(),
    step_seconds: stepSeconds,
    online,
  };
}

function rounded(players: number): number {
  return Math.round(players * 10) / 10;
}
