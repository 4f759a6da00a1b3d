import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import { grossPrices } from "#src/features/vat/vat.service.ts";
import { hourMs } from "./renewal.policy.ts";
import { tell, type RenewalDeps } from "./renewals.service.ts";
import {
  lockSubscription,
  selectRenewalsOf,
  selectToWarn,
  updateSubscription,
} from "./renewals.repository.ts";

/** Owners are warned this long before a period ends, and no later than its renewal is tried. */
const warnedBeforeEndMs = 96 * hourMs;
const limit = 500;

/** Mails owners whose balance will not cover a renewal of the next days: once for each period. */
export async function warnOfLowBalances(
  deps: Pick<RenewalDeps, "db" | "cards" | "mailer">,
  now: Date,
): Promise<void> {
  const at = (ms: number) => new Date(now.getTime() + ms);
  const window = { after: at(24 * hourMs), until: at(warnedBeforeEndMs), limit };
  for (const { shield_id, owner_id } of await selectToWarn(deps.db, window)) {
    if (!(await deps.cards.hasSavedCard(owner_id))) await warn(deps, shield_id, now);
  }
}

async function warn(
  { db, mailer }: Pick<RenewalDeps, "db" | "mailer">,
  shieldId: string,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await lockSubscription(trx, shieldId);
    if (row === undefined || row.told !== null) return;
    const renewals = await selectRenewalsOf(trx, row.owner_id);
    const gross = await grossPrices(trx, row.owner_id, now);
    const needed = renewals
      .filter((each) => each.from_balance && each.period_ends_at <= row.period_ends_at)
      .reduce((sum, { price_cents }) => sum + gross(readCents(price_cents)), 0);
    const balance = spendableCents(await balanceOf(trx, row.owner_id));
    if (needed <= balance) return;
    await updateSubscription(trx, shieldId, { told: "low" });
    const values = { neededCents: String(needed), balanceCents: String(balance) };
    await tell(mailer, trx, row, "renewals.low", values);
  });
}
