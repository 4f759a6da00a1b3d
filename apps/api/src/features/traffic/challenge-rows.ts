import {
  addChallengeCounts,
  type ChallengeCounts,
  challengeBucketsMs,
  type MinuteCounters,
} from "@palisade/contract/edge/plain-values";
import type { MinuteRow } from "./minute-rows.ts";

const rangesOfTime = challengeBucketsMs.length + 1;
/** Far above any real number; keeps the sums of a hostile edge within bigint. */
const countMax = 1_000_000_000;
/** The protocol of all others together. */
export const otherProtocols = -1;
const protocolMax = 0x7fff_ffff;

/** A row of `challenge_times` without its edge. */
export interface ChallengeRow {
  readonly shield_id: string;
  readonly day: string;
  readonly challenge: string;
  readonly protocol: number;
  readonly passed: readonly number[];
  readonly failed: number;
}

/**
 * One row for each shield, day, challenge and protocol of a report, in the order in which all
 * reports write them.
 *
 * @param counted the minutes of the report that count
 */
export function challengeRows(
  minutes: readonly MinuteCounters[],
  counted: readonly MinuteRow[],
): ChallengeRow[] {
  const plausible = new Set(
    counted.map(({ startMs, values }) => `${String(values[0])} ${startMs}`),
  );
  const sums = new Map<string, ChallengeCounts[]>();
  for (const { shield_id, minute, challenges } of minutes) {
    if (challenges === undefined) continue;
    const at = Date.parse(minute);
    if (!plausible.has(`${shield_id} ${at - (at % 60_000)}`)) continue;
    const key = `${shield_id} ${minute.slice(0, 10)}`;
    sums.set(key, addChallengeCounts(sums.get(key) ?? [], challenges));
  }
  const rows = [...sums].flatMap(([key, counts]) => {
    const [shieldId = "", day = ""] = key.split(" ");
    return counts.map((each) => rowOf(shieldId, day, each));
  });
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function rowOf(shield_id: string, day: string, [key, counts]: ChallengeCounts): ChallengeRow {
  const [challenge = "", protocol = ""] = key.split(":");
  const number = protocol === "" ? otherProtocols : Number(protocol);
  const limited = counts.map((count) => Math.min(count, countMax));
  return {
    shield_id,
    day,
    challenge,
    protocol: number > protocolMax ? otherProtocols : number,
    passed: limited.slice(0, rangesOfTime),
    failed: limited[rangesOfTime] ?? 0,
  };
}

function keyOf({ shield_id, day, challenge, protocol }: ChallengeRow): string {
  return `${shield_id} ${day} ${challenge} ${protocol}`;
}
