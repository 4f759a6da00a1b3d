import type { AutomaticTopUp } from "@palisade/contract/http/automatic-payments";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { readCents, totalCents } from "#src/features/ledger/money.service.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import {
  lockTopUp,
  saveSettings,
  selectSettings,
  updateTopUp,
} from "./automatic-top-ups.repository.ts";
import { hourMs, leaseMs } from "./renewal.policy.ts";
import type { RenewalDeps } from "./renewals.service.ts";

/** Shown until the owner chooses: off. */
const unset: AutomaticTopUp = { enabled: false, threshold: 10, amount: 20 };
const failuresMax = 3;
/** A card is charged once a day at most, however fast the balance is spent. */
const dayMs = 24 * hourMs;

export async function automaticTopUp(db: Executor, userId: string): Promise<AutomaticTopUp> {
  const row = await selectSettings(db, userId);
  if (row === undefined) return unset;
  return {
    enabled: row.enabled,
    threshold: readCents(row.threshold_cents) / 100,
    amount: readCents(row.amount_cents) / 100,
  };
}

export async function setAutomaticTopUp(
  trx: Trx,
  { userId, now }: { readonly userId: string; readonly now: Date },
  { enabled, threshold, amount }: AutomaticTopUp,
): Promise<AutomaticTopUp> {
  const settings = { enabled, thresholdCents: threshold * 100, amountCents: amount * 100 };
  await saveSettings(trx, userId, settings, now);
  return { enabled, threshold, amount };
}

type Deps = Pick<RenewalDeps, "db" | "cards" | "mailer" | "failpoint">;

/**
 * Charges the saved card of an account whose balance is below the limit that its owner set. The key
 * names the charge by its number, so that a process that dies after charging is not charged again.
 */
export async function topUpDue(deps: Deps, userId: string, now: Date): Promise<void> {
  const begun = await deps.db.transaction().execute(async (trx) => {
    const row = await lockTopUp(trx, userId);
    if (row === undefined || !row.enabled || row.next_try_at > now) return null;
    const isLow = totalCents(await balanceOf(trx, userId)) < readCents(row.threshold_cents);
    await updateTopUp(trx, userId, { next_try_at: new Date(now.getTime() + leaseMs) });
    return isLow ? { charges: row.charges, cents: readCents(row.amount_cents) } : null;
  });
  if (begun === null) return;
  const key = `automatic-top-up:${userId}:${begun.charges}:${begun.cents}`;
  const outcome = await deps.cards.chargeSavedCard(userId, begun.cents, key);
  deps.failpoint("automatic-top-up-charged");
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockTopUp(trx, userId);
    if (row === undefined || row.charges !== begun.charges) return;
    const next_try_at = new Date(now.getTime() + dayMs);
    if (outcome === "paid") {
      return updateTopUp(trx, userId, { charges: row.charges + 1, failures: 0, next_try_at });
    }
    // Without a card there is nothing to tell: its removal was the owner's choice.
    if (outcome === "none") return updateTopUp(trx, userId, { next_try_at });
    const failures = row.failures + 1;
    const isOff = failures >= failuresMax;
    await updateTopUp(trx, userId, { failures, next_try_at, enabled: row.enabled && !isOff });
    if (failures !== 1 && !isOff) return;
    await deps.mailer.enqueue(trx, {
      to: row.email,
      template: isOff ? "renewals.top-up-off" : "renewals.top-up-failed",
      locale: row.locale,
      values: { amountCents: begun.cents },
    });
  });
}
