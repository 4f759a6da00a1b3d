import type { ChallengeGrade } from "@palisade/contract/edge/plain-values";
import { sql } from "kysely";
import type { Executor } from "#src/platform/database/db.ts";

export interface ChallengeTimesRow {
  readonly challenge: ChallengeGrade;
  /** Below 0: all others together. */
  readonly protocol: number;
  /** By ranges of `challengeBucketsMs`, then those above. */
  readonly passed: readonly number[];
  readonly failed: number;
}

/** Sums of all edges, most frequent first. */
export async function selectChallengeTimes(
  db: Executor,
  shieldId: string,
  firstDay: string,
): Promise<ChallengeTimesRow[]> {
  const { rows } = await sql<{
    challenge: ChallengeGrade;
    protocol: number;
    passed: string[];
    failed: string;
  }>`
    with counts as (
      select challenge, protocol, edge_id, day, failed, passed from challenge_times
      where shield_id = ${shieldId} and day >= ${firstDay}::date
    ), ranges as (
      select challenge, protocol, place, sum(count) as count
      from counts, unnest(passed) with ordinality as range (count, place)
      group by challenge, protocol, place
    ), failures as (
      select challenge, protocol, sum(failed) as failed from counts group by challenge, protocol
    )
    select challenge, protocol, failures.failed::text as failed,
      array_agg(ranges.count::text order by place) as passed
    from ranges join failures using (challenge, protocol)
    group by challenge, protocol, failures.failed
    order by sum(ranges.count) desc, failures.failed desc, challenge, protocol
  `.execute(db);
  return rows.map(({ passed, failed, ...row }) => ({
    ...row,
    passed: passed.map(Number),
    failed: Number(failed),
  }));
}
