import { setImmediate } from "node:timers/promises";
import { replayedHours, replayedLoginsMax } from "@palisade/contract/http/replay";
import type { updateMitigationBody } from "@palisade/contract/http/mitigation";
import type { z } from "zod";
import {
  createEdgeRules,
  type EdgeRules,
} from "#src/features/configuration/login-rules.service.ts";
import { proposeMitigation } from "#src/features/mitigation/mitigation.service.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { computedAttackTimes, recordedAttackTimes } from "./attack-times.ts";
import { ReplayRun } from "./replay-run.ts";
import { ReplaySummary } from "./replay-summary.ts";
import {
  type RecordedAttack,
  selectAttacksOf,
  selectNextLogins,
  selectShortenedStart,
} from "./replay.repository.ts";
import { attemptOf, type ReplayedAttempt, waitMsMax } from "./replayed-login.ts";

const hourMs = 3_600_000;
const dayHours = 24;
const rowsAtOnce = 500;
/** Some milliseconds of work, between which the process serves others. */
const loginsAtOnce = 100;

export interface ReplayRequest {
  readonly shieldId: string;
  readonly body: z.output<typeof updateMitigationBody>;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** The newest logins that are looked at. */
  readonly loginsMax?: number;
}

export interface ReplayResult {
  readonly from: Date;
  readonly to: Date;
  readonly isShortened: boolean;
  /** The log has sizes of refused packets only, and the proposed settings refuse smaller ones too. */
  readonly sizesUnknown: boolean;
  readonly summary: ReplaySummary;
}

/**
 * Decides the logins of the last day again, under the saved and the proposed settings. Both run over
 * the same log, so that their difference is the settings' alone.
 *
 * @throws DomainError if the settings could not be saved either
 */
export async function replayMitigation(
  db: Executor,
  request: ReplayRequest,
): Promise<ReplayResult> {
  const { shieldId, body, now: to, signal, loginsMax: max = replayedLoginsMax } = request;
  const { plan, saved, proposed } = await proposeMitigation(db, shieldId, body);
  const rulesOf = await createEdgeRules(db, shieldId, plan);
  const hours = Math.min(replayedHours, plan.logDays * dayHours);
  const day = { from: new Date(to.getTime() - hours * hourMs), to };
  const start = await selectShortenedStart(db, shieldId, { ...day, max });
  const window = { ...day, from: start ?? day.from };
  const attacks = await selectAttacksOf(db, shieldId, window);
  const before = rulesOf(saved);
  const after = rulesOf(proposed);
  const runs = {
    saved: new ReplayRun(before.rules, recordedAttackTimes(attacks)),
    proposed: new ReplayRun(after.rules, attackTimesOf(shieldId, before, after, attacks)),
  };
  const summary = new ReplaySummary();
  const asksForPings = after.rules.mitigation.notesPings;
  let sinceBreath = 0;
  for await (const attempt of attemptsOf(db, shieldId, window)) {
    const { entry, isAssumed, isPingAssumed, leftOut } = attempt;
    summary.leftOut += leftOut;
    if (isAssumed || (isPingAssumed && asksForPings)) summary.assumed++;
    summary.add({
      entry,
      saved: runs.saved.decide(attempt),
      proposed: runs.proposed.decide(attempt),
    });
    if (++sinceBreath < loginsAtOnce) continue;
    sinceBreath = 0;
    await setImmediate();
    if (signal.aborted) throw new DomainError("unavailable");
  }
  const sizesUnknown = isSmaller(after.config.packet_bytes_max, before.config.packet_bytes_max);
  return { ...window, isShortened: start !== undefined, sizesUnknown, summary };
}

/** Whether a limit is the smaller one; null is no limit. */
function isSmaller(limit: number | null, before: number | null): boolean {
  return limit !== null && limit < (before ?? Number.POSITIVE_INFINITY);
}

/** As recorded, unless the change is about what an attack is. */
function attackTimesOf(
  shieldId: string,
  before: EdgeRules,
  after: EdgeRules,
  attacks: readonly RecordedAttack[],
) {
  const isSame =
    before.config.attack_threshold === after.config.attack_threshold &&
    before.config.attack_duration_ms === after.config.attack_duration_ms;
  return isSame
    ? recordedAttackTimes(attacks)
    : computedAttackTimes(shieldId, after.config, attacks);
}

/**
 * The logins of the window in the order in which they were decided, which is not that of the log: some
 * waited for a backend or a challenge. Those of a minute at most are in memory at a time.
 */
async function* attemptsOf(
  db: Executor,
  shieldId: string,
  window: { readonly from: Date; readonly to: Date },
): AsyncGenerator<ReplayedAttempt> {
  let waiting: ReplayedAttempt[] = [];
  for (let after: { readonly at: Date; readonly id: string } | undefined; ;) {
    const rows = await selectNextLogins(db, shieldId, { ...window, after, limit: rowsAtOnce });
    after = rows.at(-1);
    waiting.push(...rows.map(attemptOf));
    waiting.sort((a, b) => a.decidedAtMs - b.decidedAtMs);
    const isLast = after === undefined || rows.length < rowsAtOnce;
    const settledMs = isLast ? Number.POSITIVE_INFINITY : (after?.at.getTime() ?? 0) - waitMsMax;
    const settled = waiting.filter(({ decidedAtMs }) => decidedAtMs <= settledMs);
    waiting = waiting.slice(settled.length);
    yield* settled;
    if (isLast) return;
  }
}
