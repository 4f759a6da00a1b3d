/**
 * How long nothing is announced about an attack that has ended, so that it can still continue:
 * through another edge whose report arrives later, for instance after an outage of the control
 * plane (edges retry at least every 30 s), through the same edge after a restart, or because the
 * attacker pauses.
 */
export const quietSeconds = 45;

export interface KnownAttack {
  readonly id: string;
  /** Null for an attack on the reporting edge itself. */
  readonly shieldId: string | null;
  readonly startedAt: Date;
  /** The end of its parts, without those in the present report; null while it lasts. */
  readonly endedAt: Date | null;
  /** Its end was announced: it may still grow longer, but it cannot be running again. */
  readonly isOver: boolean;
}

export interface Span {
  readonly startedAt: Date;
  /** Null while it lasts. */
  readonly endedAt: Date | null;
}

type Draft = { -readonly [Key in keyof KnownAttack]: KnownAttack[Key] };

const restMs = quietSeconds * 1_000;

/**
 * Assigns reported parts to attacks. Each shield, and the edge itself, has at most one attack that
 * is not over: a part that begins before the end was announced continues that attack.
 */
export class AttackMerger {
  readonly #attacks: Draft[];
  readonly #newId: () => string;
  readonly begun: KnownAttack[] = [];
  /** Ids of known attacks that had ended and are over now that another has begun. */
  readonly over: string[] = [];

  constructor(known: readonly KnownAttack[], newId: () => string) {
    // Attacks that are not over come first: a part that fits two attacks continues that one.
    this.#attacks = known
      .map((attack) => ({ ...attack }))
      .toSorted((a, b) => Number(a.isOver) - Number(b.isOver));
    this.#newId = newId;
  }

  /** @returns the id of the attack that this part belongs to */
  attackOf(shieldId: string | null, span: Span): string {
    const own = this.#attacks.filter((attack) => attack.shieldId === shieldId);
    const attack = own.find((one) => isWithin(span, one));
    if (attack === undefined) return this.#begin(shieldId, span, own);
    stretch(attack, span);
    return attack.id;
  }

  /** Extends a known attack by a part of its own. */
  extend(attackId: string, span: Span): void {
    const attack = this.#attacks.find(({ id }) => id === attackId);
    if (attack !== undefined) stretch(attack, span);
  }

  #begin(shieldId: string | null, span: Span, own: readonly Draft[]): string {
    const before = own.find(({ isOver }) => !isOver);
    const isOver = before !== undefined && isBefore(span, before);
    const attack = { id: this.#newId(), shieldId, ...span, isOver };
    this.#attacks.unshift(attack);
    this.begun.push(attack);
    if (before === undefined || isOver) return attack.id;
    before.isOver = true;
    if (!this.begun.includes(before)) this.over.push(before.id);
    return attack.id;
  }
}

function stretch(attack: Draft, span: Span): void {
  if (span.startedAt < attack.startedAt) attack.startedAt = span.startedAt;
  if (span.endedAt === null) attack.endedAt = null;
  else if (attack.endedAt !== null && span.endedAt > attack.endedAt) {
    attack.endedAt = span.endedAt;
  }
}

function isWithin(span: Span, attack: KnownAttack): boolean {
  if (attack.isOver && span.endedAt === null) return false;
  const slackMs = attack.isOver ? 0 : restMs;
  const isAfter =
    attack.endedAt !== null && span.startedAt.getTime() > attack.endedAt.getTime() + slackMs;
  return !isAfter && !isBefore(span, attack, slackMs);
}

function isBefore({ endedAt }: Span, attack: KnownAttack, slackMs = restMs): boolean {
  return endedAt !== null && endedAt.getTime() + slackMs < attack.startedAt.getTime();
}
