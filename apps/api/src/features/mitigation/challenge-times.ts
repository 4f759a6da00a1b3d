import { challengeBucketsMs, challengeGrades } from "@palisade/contract/edge/plain-values";
import { challengeDays, type ChallengeTimes } from "@palisade/contract/http/mitigation";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import type { ChallengeTimesRow } from "./challenge-times.repository.ts";

/** Versions of one challenge that an answer names. */
const versionsMax = 40;

const lastMs = challengeBucketsMs[challengeBucketsMs.length - 1] ?? 0;

/** The newest version of each protocol. */
const versions = new Map(knownReleases.map(({ version, protocol }) => [protocol, version]));

/** Counts by challenge and version, weakest challenge first; those that were never asked are left out. */
export function presentChallengeTimes(rows: readonly ChallengeTimesRow[]): ChallengeTimes {
  const challenges = challengeGrades.flatMap((challenge) => {
    const own = rows.filter((row) => row.challenge === challenge);
    if (own.length === 0) return [];
    const named = own.slice(0, versionsMax);
    return [
      {
        challenge,
        ...measured(own),
        versions: named.map((row) => ({
          protocol: row.protocol < 0 ? null : row.protocol,
          version: versions.get(row.protocol) ?? null,
          ...measured([row]),
        })),
      },
    ];
  });
  return { days: challengeDays, challenges };
}

function measured(rows: readonly Pick<ChallengeTimesRow, "passed" | "failed">[]) {
  const ranges = [...challengeBucketsMs, lastMs].map((_, n) =>
    rows.reduce((sum, { passed }) => sum + (passed[n] ?? 0), 0),
  );
  return {
    passed: ranges.reduce((sum, count) => sum + count, 0),
    failed: rows.reduce((sum, { failed }) => sum + failed, 0),
    median_ms: medianOf(ranges),
  };
}

/**
 * The median of times that are known by ranges, as if the times of a range were spread evenly. Times
 * above the last end count as that end.
 *
 * @param counts of each range of `challengeBucketsMs`, then of all times above
 */
export function medianOf(counts: readonly number[]): number | null {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  if (half === 0) return null;
  let below = 0;
  for (const [n, endMs] of challengeBucketsMs.entries()) {
    const count = counts[n] ?? 0;
    if (below + count >= half) {
      const startMs = challengeBucketsMs[n - 1] ?? 0;
      return Math.round(startMs + ((half - below) / count) * (endMs - startMs));
    }
    below += count;
  }
  return lastMs;
}
