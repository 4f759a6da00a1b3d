import {
  addChallengeCounts,
  type ChallengeCounts,
  type ChallengeGrade,
  challengeBucketsMs,
  challengeCountsLength,
  challengeKeysMax,
} from "@palisade/contract/edge/plain-values";
import { isKnown } from "@palisade/minecraft-protocol/java/versions";

const failedPlace = challengeCountsLength - 1;
/** Failures name their own protocol up to here, so that bots leave room for players who pass. */
const failureKeysMax = challengeKeysMax / 2;

/** How long the players of one shield took to pass, and how many failed, by grade and protocol. */
export class ChallengeTimes {
  #counts = new Map<string, number[]>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  passed(ms: number, protocol: number, grade: ChallengeGrade): void {
    const range = challengeBucketsMs.findIndex((endMs) => ms <= endMs);
    this.#count(grade, protocol, challengeKeysMax, range < 0 ? failedPlace - 1 : range);
  }

  failed(protocol: number, grade: ChallengeGrade): void {
    this.#count(grade, protocol, failureKeysMax, failedPlace);
  }

  add(counts: readonly ChallengeCounts[]): void {
    this.#counts = new Map(addChallengeCounts([...this.#counts], counts));
  }

  /** Takes the counts; undefined if there are none. */
  take(): ChallengeCounts[] | undefined {
    if (this.isEmpty) return undefined;
    const counts = [...this.#counts];
    this.#counts = new Map();
    return counts;
  }

  /** Clients choose their protocol number, so the list is bounded. */
  #count(grade: ChallengeGrade, protocol: number, keysMax: number, place: number): void {
    const own = isKnown(protocol) ? `${grade}:${protocol}` : `${grade}:`;
    const isRoom = this.#counts.has(own) || this.#counts.size < keysMax;
    const key = isRoom ? own : `${grade}:`;
    const counts = this.#counts.get(key) ?? Array.from({ length: challengeCountsLength }, () => 0);
    counts[place] = (counts[place] ?? 0) + 1;
    this.#counts.set(key, counts);
  }
}
