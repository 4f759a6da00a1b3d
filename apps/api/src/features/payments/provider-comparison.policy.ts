import { formatCents } from "#src/features/ledger/money.service.ts";
import type { ProviderMovement } from "./provider-books.service.ts";
import { topUpKeyOf } from "./settlement.policy.ts";

/** A txn of the ledger that moved a provider's money. */
export interface ClearingEntry {
  readonly businessKey: string;
  /** Above 0: the provider holds more of it. */
  readonly cents: number;
  readonly at: Date;
}

export interface DayComparison {
  /** YYYY-MM-DD in UTC. */
  readonly day: string;
  readonly providerCents: number;
  readonly ledgerCents: number;
  /** One sentence for each line that only one side has. */
  readonly differences: readonly string[];
}

/** A refund may be in the ledger days before it is in the provider's list. */
const reversalApartMs = 5 * 86_400_000;

/**
 * Compares a provider's own list with the ledger. Totals are of one day; lines are matched over all
 * days given, because a payment just before midnight is credited just after it.
 *
 * @param explained intents, payments and reversals that staff know of: they are in quarantine
 */
export function compareDays(
  days: readonly string[],
  movements: readonly ProviderMovement[],
  entries: readonly ClearingEntry[],
  explained: ReadonlySet<string>,
): DayComparison[] {
  const openEntries = new Set(entries);
  const openMovements = movements.filter((movement) => {
    const match = findMatch(movement, openEntries);
    if (match !== undefined) openEntries.delete(match);
    return match === undefined;
  });
  return days.map((day) => ({
    day,
    providerCents: sum(movements.filter(({ at }) => dayOf(at) === day)),
    ledgerCents: sum(entries.filter(({ at }) => dayOf(at) === day)),
    differences: [
      ...openMovements
        .filter((movement) => dayOf(movement.at) === day)
        .filter((movement) => !namesOf(movement).some((name) => explained.has(name)))
        .map(
          ({ id, kind, cents, currency, intentId }) =>
            `the provider has the ${kind} ${id} of ${formatCents(cents)} ${currency}, the ledger has not` +
            (intentId === null ? "" : ` (intent ${intentId})`),
        ),
      ...[...openEntries]
        // Credited by staff out of quarantine, which explains both sides.
        .filter(
          ({ at, businessKey }) => dayOf(at) === day && !businessKey.startsWith("quarantine:"),
        )
        .map(
          ({ businessKey, cents }) =>
            `the ledger has ${businessKey} of ${formatCents(cents)} EUR, the provider has not`,
        ),
    ],
  }));
}

/** Every name by which a movement may be known here. */
export function namesOf({ id, intentId, related }: ProviderMovement): string[] {
  return [id, ...(intentId === null ? [] : [intentId]), ...related];
}

function findMatch(
  { id, kind, cents, currency, intentId, at }: ProviderMovement,
  entries: ReadonlySet<ClearingEntry>,
): ClearingEntry | undefined {
  if (currency !== "EUR") return undefined;
  const all = [...entries].filter((entry) => entry.cents === cents);
  if (kind === "payment") {
    return all.find(({ businessKey }) => businessKey === topUpKeyOf(intentId ?? ""));
  }
  const named = all.find((entry) => {
    const [, ...ids] = entry.businessKey.split(":");
    return ids.includes(id) || (intentId !== null && ids.includes(intentId));
  });
  const isReversal = ({ businessKey }: ClearingEntry): boolean =>
    !businessKey.startsWith("top-up:");
  const isNear = (entry: ClearingEntry): boolean =>
    Math.abs(entry.at.getTime() - at.getTime()) <= reversalApartMs;
  return named ?? all.find((entry) => isReversal(entry) && isNear(entry));
}

function sum(lines: readonly { readonly cents: number }[]): number {
  return lines.reduce((total, { cents }) => total + cents, 0);
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
