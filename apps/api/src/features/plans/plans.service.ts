import type { Locale } from "@palisade/contract/texts/render";
import { DomainError } from "#src/platform/http/domain-error.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import { addMonths } from "#src/features/subscriptions/billing-period.service.ts";
import {
  selectLocations,
  selectPricingPlan,
  selectPricingPlans,
  selectSupportPlans,
} from "./plans.repository.ts";
import { presentLocation, presentPricingPlan, presentSupportPlan } from "./plans.presenter.ts";
import { translated } from "./translations.service.ts";

/** With what the caller's balance covers, and what buying now would leave and until when it lasts. */
export async function listPricingPlans(
  db: Executor,
  caller: { readonly userId: string; readonly now: Date; readonly locale: Locale },
) {
  const balance = await balanceOf(db, caller.userId);
  const buyer = {
    balance,
    spendable: spendableCents(balance),
    periodEnd: addMonths(caller.now, 1),
  };
  return (await selectPricingPlans(db)).map((row) => presentPricingPlan(row, buyer, caller.locale));
}

export async function listSupportPlans(db: Executor, locale: Locale) {
  return (await selectSupportPlans(db)).map((row) => presentSupportPlan(row, locale));
}

/** The plan an account has without buying one; nobody can buy another yet. */
export async function supportPlanOf(db: Executor, _userId: string, locale: Locale) {
  const free = (await selectSupportPlans(db)).find(({ price_cents }) => Number(price_cents) === 0);
  return free === undefined ? null : { id: free.id, name: translated(free, "name", locale) };
}

export async function listLocations(db: Executor, locale: Locale) {
  return (await selectLocations(db)).map((row) => presentLocation(row, locale));
}

/**
 * The plan a caller wants to buy.
 *
 * @throws DomainError `plan_unavailable` where it is not on offer
 */
export async function requirePlan(db: Executor, planId: string) {
  const plan = await selectPricingPlan(db, planId);
  if (plan === undefined) throw new DomainError("plan_unavailable");
  return { id: plan.id, name: plan.name, priceCents: readCents(plan.price_cents) };
}

/**
 * The location meant by a value, name or display text in any language (decision 40).
 *
 * @throws DomainError `location_unavailable` with the field `location`
 */
export async function requireLocation(db: Executor, text: string) {
  const wanted = text.trim().toLowerCase();
  const location = (await selectLocations(db)).find(({ name, display_name, translations }) =>
    [name, display_name, ...Object.values(translations).map((texts) => texts.display_name)].some(
      (known) => known?.toLowerCase() === wanted,
    ),
  );
  if (location === undefined || !location.is_available) throw locationUnavailable();
  return location;
}

/** As `requireLocation`, for placing an edge: the location need not have one yet. */
export async function requireKnownLocation(db: Executor, name: string): Promise<void> {
  const known = (await selectLocations(db)).some((location) => location.name === name);
  if (!known) throw locationUnavailable();
}

function locationUnavailable(): DomainError {
  return new DomainError("location_unavailable", {
    issues: [{ path: "location", code: "error.location_unavailable" }],
  });
}
