import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import {
  type ReplayOutcome,
  replayOutcomes,
  replayedRowsMax,
} from "@palisade/contract/http/replay";
import type { Replayed } from "./replay-run.ts";
import type { LoggedLogin } from "./replay.repository.ts";
import { isOfEdge } from "./replayed-login.ts";

export interface Outcomes {
  admitted: number;
  verify: number;
  refused: number;
  readonly reasons: Partial<Record<RefusalReason, number>>;
}

/** A login that the proposed settings would have treated otherwise. */
export interface ChangedLogin {
  readonly entry: LoggedLogin;
  readonly saved: Replayed;
  readonly proposed: Replayed;
}

export interface Change {
  readonly from: ReplayOutcome;
  readonly to: ReplayOutcome;
  count: number;
  /** How often each reason refuses them, under the saved or the proposed settings. */
  readonly reasons: Partial<Record<RefusalReason, number>>;
  /** The newest of them, the newest last. */
  readonly rows: ChangedLogin[];
}

/** Counts both replays of the same log, and keeps some of the logins they differ in. */
export class ReplaySummary {
  readonly saved = noOutcomes();
  readonly proposed = noOutcomes();
  readonly changes: readonly Change[] = replayOutcomes.flatMap((from) =>
    replayOutcomes.flatMap((to) =>
      from === to ? [] : [{ from, to, count: 0, reasons: {}, rows: [] }],
    ),
  );
  logins = 0;
  leftOut = 0;
  assumed = 0;
  differing = 0;
  /** Players that the proposed settings would ask for their paid account. */
  accountChecks = 0;

  add(login: ChangedLogin): void {
    const { entry, saved, proposed } = login;
    this.logins++;
    if (differs(entry, saved)) this.differing++;
    count(this.saved, saved);
    count(this.proposed, proposed);
    const change = this.changes.find(
      ({ from, to }) => from === saved.outcome && to === proposed.outcome,
    );
    if (proposed.challenge === "premium") this.accountChecks++;
    if (change === undefined) return;
    change.count++;
    const reason = proposed.refusal ?? saved.refusal;
    if (reason !== undefined) increment(change.reasons, reason);
    change.rows.push(login);
    if (change.rows.length > replayedRowsMax) change.rows.shift();
  }
}

function noOutcomes(): Outcomes {
  return { admitted: 0, verify: 0, refused: 0, reasons: {} };
}

function count(outcomes: Outcomes, { outcome, refusal }: Replayed): void {
  outcomes[outcome]++;
  if (refusal !== undefined) increment(outcomes.reasons, refusal);
}

function increment(reasons: Partial<Record<RefusalReason, number>>, reason: RefusalReason): void {
  reasons[reason] = (reasons[reason] ?? 0) + 1;
}

/** Whether the log has another verdict: the settings, lists or unknown facts were others at the time. */
function differs({ verdict, shadow, facts }: LoggedLogin, replayed: Replayed): boolean {
  const { outcome, refusal } = replayed;
  // They ended before it was known what becomes of them.
  if (verdict === "left" || isOfEdge(facts)) return false;
  if (shadow || verdict === "joined") return outcome !== "admitted";
  if (verdict === "verified") return outcome !== "verify";
  return refusal !== verdict;
}
