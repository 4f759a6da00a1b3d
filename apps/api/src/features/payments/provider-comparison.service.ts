import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { ProviderName } from "#src/schema/payments.ts";
import type { Logger } from "pino";
import { clearing } from "./clearing.ts";
import type { PaymentProviders } from "./payment-provider.ts";
import { canReport } from "./provider-books.service.ts";
import { compareDays, dayOf, namesOf, type DayComparison } from "./provider-comparison.policy.ts";
import {
  selectClearingEntries,
  selectQuarantined,
  selectUncredited,
  storeDay,
} from "./provider-comparison.repository.ts";
import type { Settle } from "./settlement.service.ts";

export interface ComparisonDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly providers: PaymentProviders;
  readonly settle: Settle;
}

const dayMs = 86_400_000;

/** A difference is looked at again so often: one that staff have put right disappears by itself. */
const daysCompared = 7;

/** Lines are matched so far beyond the days compared: a bank may take that long. */
const marginMs = 8 * dayMs;

/**
 * Compares the last days that are over with the list of a provider. A payment that it has and the
 * ledger has not is settled first, which covers every intent that was not asked about in time.
 *
 * @returns null if the provider is not set up or has no list
 */
export async function compareProvider(
  deps: ComparisonDeps,
  name: ProviderName,
): Promise<readonly DayComparison[] | null> {
  const { db, clock, log, settle } = deps;
  const provider = deps.providers.named(name);
  if (provider === undefined || !canReport(provider)) return null;
  const now = clock.now();
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const from = new Date(today - daysCompared * dayMs - marginMs);
  const movements = await provider.listMovements(from, now);
  const paid = movements.flatMap(({ kind, intentId }) =>
    kind === "payment" ? (intentId ?? []) : [],
  );
  for (const id of await selectUncredited(db, name, paid)) {
    await settle(id).catch((error: unknown) =>
      log.warn({ err: error, intent: id }, "A payment of the provider's list could not be settled"),
    );
  }
  const entries = await selectClearingEntries(db, clearing[name], from);
  const explained = await selectQuarantined(db, name, movements.flatMap(namesOf));
  const days = Array.from({ length: daysCompared }, (_, index) =>
    dayOf(new Date(today - (daysCompared - index) * dayMs)),
  );
  const comparisons = compareDays(days, movements, entries, explained);
  for (const comparison of comparisons) await storeDay(db, name, comparison, clock.now());
  return comparisons;
}
