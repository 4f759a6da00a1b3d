import { addRefusals, refusalReasons, type Refusals } from "@palisade/contract/edge/plain-values";
import type { AttackReport } from "@palisade/contract/edge/telemetry";
import { AttackMerger, type KnownAttack, type Span } from "./attack-merger.ts";

/** One edge's reports about an attack so far. */
export interface KnownPart {
  readonly partId: string;
  readonly attackId: string;
  readonly bootId: string;
  readonly seq: number;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly isLost: boolean;
  readonly refused: Refusals;
}

export interface MergedPart {
  readonly report: AttackReport;
  readonly attackId: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly refused: Refusals;
}

export interface MergedReports {
  readonly parts: readonly MergedPart[];
  readonly newAttacks: readonly KnownAttack[];
  /** Ids of attacks that are over because of this report. */
  readonly over: readonly string[];
}

export interface EdgeReport {
  readonly bootId: string;
  readonly seq: number;
  readonly attacks: readonly AttackReport[];
  readonly now: Date;
}

/**
 * Decides which attack each reported part belongs to. An attack that is over stays ended, however
 * late a report is: a part that lasts continues the attack that is not over, or begins another. A
 * part that has ended joins the attack it overlaps.
 *
 * @param parts everything known about the reported attacks on this edge
 * @param attacks the attacks they may belong to
 */
export function mergeReports(
  told: EdgeReport,
  parts: readonly KnownPart[],
  attacks: readonly KnownAttack[],
  newId: () => string,
): MergedReports {
  const near = new AttackMerger(attacks, newId);
  const inOrder = told.attacks.toSorted((a, b) => at(a.started_at) - at(b.started_at));
  const tellings = inOrder.map((report) => tellingOf(report, parts, told));
  for (const { rows, replaced, span } of tellings) {
    for (const row of rows) near.extend(row.attackId, row === replaced ? span : row);
  }
  const placed = tellings
    .filter(({ isNews }) => isNews)
    .map(({ report, rows, replaced, span }) => {
      const attackId = replaced?.attackId ?? near.attackOf(report.shield_id, span);
      const before = rows.filter((row) => row.attackId !== attackId);
      return { report, attackId, ...span, refused: since(report.refused, before) };
    });
  return { parts: placed, newAttacks: near.begun, over: near.over };
}

interface Telling {
  readonly report: AttackReport;
  readonly span: Span;
  /** The parts known so far. */
  readonly rows: readonly KnownPart[];
  /** The known part that this report replaces. */
  readonly replaced: KnownPart | undefined;
  readonly isNews: boolean;
}

function tellingOf(report: AttackReport, parts: readonly KnownPart[], told: EdgeReport): Telling {
  const rows = parts.filter(({ partId }) => partId === report.id);
  const current = rows.toSorted(byAge).at(-1);
  const isNews = current === undefined || !isOld(current, told);
  const isGivenUp = current?.isLost === true && report.ended_at === null;
  const span = spanOf(report, current, told.now);
  return { report, span, rows, replaced: isNews && !isGivenUp ? current : undefined, isNews };
}

/** The part that was not given up is the newest, however short the others were. */
function byAge(a: KnownPart, b: KnownPart): number {
  return at(a.startedAt) - at(b.startedAt) || Number(b.isLost) - Number(a.isLost);
}

/** Whether the report is older than what is known. Reports of different starts have no known order. */
function isOld(known: KnownPart, { bootId, seq }: EdgeReport): boolean {
  return known.bootId === bootId && known.seq >= seq;
}

/** Never in the future, and never before the time at which the part was given up. */
function spanOf(report: AttackReport, current: KnownPart | undefined, now: Date): Span {
  const told = { startedAt: earlier(report.started_at, now), endedAt: endOf(report, now) };
  if (current === undefined) return told;
  if (current.endedAt === null) return { ...told, startedAt: current.startedAt };
  if (!current.isLost) return { startedAt: current.startedAt, endedAt: current.endedAt };
  if (told.endedAt === null) {
    return { startedAt: later(told.startedAt, current.endedAt), endedAt: null };
  }
  return { startedAt: current.startedAt, endedAt: later(told.endedAt, current.endedAt) };
}

function endOf({ started_at, ended_at }: AttackReport, now: Date): Date | null {
  return ended_at === null ? null : earlier(later(ended_at, started_at), now);
}

/** Edges count from the start of their part; refusals already counted in another attack are subtracted. */
function since(refused: Refusals, before: readonly KnownPart[]): Refusals {
  const counted = before.map((row) => row.refused).reduce(addRefusals, {});
  const rest = refusalReasons.map(
    (reason) => [reason, Math.max(0, (refused[reason] ?? 0) - (counted[reason] ?? 0))] as const,
  );
  return Object.fromEntries(rest.filter(([, count]) => count > 0));
}

function at(time: Date | string): number {
  return new Date(time).getTime();
}

function earlier(a: Date | string, b: Date | string): Date {
  return new Date(Math.min(at(a), at(b)));
}

function later(a: Date | string, b: Date | string): Date {
  return new Date(Math.max(at(a), at(b)));
}
