import { webhookProviders } from "@palisade/contract/http/billing";
import { verifyBooks } from "#src/features/ledger/ledger-check.service.ts";
import { freezePurchases } from "#src/features/ledger/purchase-freeze.service.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { compareProvider, type ComparisonDeps } from "./provider-comparison.service.ts";

const shownMax = 5;

/**
 * Checks the books every night: providers' lists against the ledger, and everything that `ledger
 * verify` checks. If something does not fit, purchases are frozen until staff lift that; traffic,
 * renewals and top-ups go on. A provider that does not answer freezes nothing.
 */
export function booksJob(deps: ComparisonDeps): JobDefinition<object> {
  return {
    name: "payments.books",
    retryLimit: 3,
    retryDelaySeconds: 600,
    // Long enough after midnight for the providers' lists to be complete.
    cron: "43 4 * * *",
    run: () => checkBooks(deps),
  };
}

export async function checkBooks(deps: ComparisonDeps): Promise<void> {
  const { db, clock, log } = deps;
  let unanswered: unknown;
  for (const name of webhookProviders) {
    await compareProvider(deps, name).catch((error: unknown) => {
      unanswered = error;
      log.warn({ err: error, provider: name }, "A provider's list could not be read");
    });
  }
  const { breaks } = await verifyBooks(db);
  if (breaks.length > 0) {
    log.error({ breaks: breaks.slice(0, shownMax), count: breaks.length }, "The books do not fit");
    const reason = `The nightly check found:\n${breaks.join("\n")}`;
    if (await freezePurchases(db, { reason, by: null, now: clock.now() })) {
      log.error("Purchases are frozen until staff run purchases unfreeze");
    }
  }
  // Tried again: the comparison is still to come.
  if (unanswered !== undefined) throw unanswered;
}
