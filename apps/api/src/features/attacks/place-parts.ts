import {
  addRefusals,
  refusalReasons,
  type AttackReport,
  type Refusals,
} from "@palisade/contract/edge/telemetry";

/** What an edge has told of an attack so far. */
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

export interface KnownAttack {
  readonly id: string;
  /** Null: of the edge that tells. */
  readonly shieldId: string | null;
  readonly startedAt: Date;
  /** Null: it lasts. */
  readonly endedAt: Date | null;
}

export interface PlacedPart {
  readonly report: AttackReport;
  readonly attackId: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly refused: Refusals;
}

export interface Placement {
  readonly parts: readonly PlacedPart[];
  readonly newAttacks: readonly KnownAttack[];
}

export interface Told {
  readonly bootId: string;
  readonly seq: number;
  readonly attacks: readonly AttackReport[];
  readonly now: Date;
}

/**
 * Which attack each of an edge's is part of. An attack that ended stays ended, whatever is told
 * late: one that is heard to last joins the one that lasts, or begins another. One that is over
 * joins what it overlaps.
 *
 * @param parts all that is known of the attacks told, of this edge
 * @param attacks those they may be part of
 */
export function placeParts(
  told: Told,
  parts: readonly KnownPart[],
  attacks: readonly KnownAttack[],
  newId: () => string,
): Placement {
  const near = [...attacks];
  const newAttacks: KnownAttack[] = [];
  const placed: PlacedPart[] = [];
  const inOrder = told.attacks.toSorted((a, b) => at(a.started_at) - at(b.started_at));
  for (const report of inOrder) {
    const rows = parts.filter(({ partId }) => partId === report.id);
    const current = rows.toSorted(byAge).at(-1);
    if (current !== undefined && isOld(current, told)) continue;
    const isGivenUp = current?.isLost === true && report.ended_at === null;
    const span = spanOf(report, current, told.now);
    let attackId = isGivenUp ? undefined : current?.attackId;
    if (attackId === undefined) {
      const attack = near.find((one) => isPartOf(report, span, one));
      attackId = attack?.id ?? newId();
      if (attack === undefined) {
        const begun = { id: attackId, shieldId: report.shield_id, ...span };
        near.push(begun);
        newAttacks.push(begun);
      }
    }
    const before = rows.filter((row) => row.attackId !== attackId);
    placed.push({ report, attackId, ...span, refused: since(report.refused, before) });
  }
  return { parts: placed, newAttacks };
}

/** The one that was not given up is the newest, however short the others were. */
function byAge(a: KnownPart, b: KnownPart): number {
  return at(a.startedAt) - at(b.startedAt) || Number(b.isLost) - Number(a.isLost);
}

/** Told before what is known. Of another start of the edge the order is not known. */
function isOld(known: KnownPart, { bootId, seq }: Told): boolean {
  return known.bootId === bootId && known.seq >= seq;
}

interface Span {
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** Never in the future, and after what it was given up for. */
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

function isPartOf(report: AttackReport, span: Span, attack: KnownAttack): boolean {
  if (attack.shieldId !== report.shield_id) return false;
  if (span.endedAt === null) return attack.endedAt === null;
  const beginsBefore = attack.endedAt === null || at(span.startedAt) <= at(attack.endedAt);
  return beginsBefore && at(span.endedAt) >= at(attack.startedAt);
}

/** Edges count from the start of theirs; what counts in another attack already is taken off. */
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
