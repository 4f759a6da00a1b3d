import { DomainError } from "#src/platform/http/domain-error.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import {
  selectLocations,
  selectPricingPlan,
  selectPricingPlans,
  selectSupportPlans,
} from "./plans.repository.ts";
import { presentLocation, presentPricingPlan, presentSupportPlan } from "./plans.presenter.ts";

/** With what the caller's balance covers. */
export async function listPricingPlans(db: Executor, userId: string) {
  const spendable = spendableCents(await balanceOf(db, userId));
  return (await selectPricingPlans(db)).map((row) => presentPricingPlan(row, spendable));
}

export async function listSupportPlans(db: Executor) {
  return (await selectSupportPlans(db)).map(presentSupportPlan);
}

/** The plan an account has without buying one; nobody can buy another yet. */
export async function supportPlanOf(db: Executor, _userId: string) {
  const free = (await selectSupportPlans(db)).find(({ price_cents }) => Number(price_cents) === 0);
  return free === undefined ? null : { id: free.id, name: free.name };
}

export async function listLocations(db: Executor) {
  return (await selectLocations(db)).map(presentLocation);
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
 * The location meant by a value, name or display text (decision 40).
 *
 * @throws DomainError `location_unavailable` with the field `location`
 */
export async function requireLocation(db: Executor, text: string) {
  const wanted = text.trim().toLowerCase();
  const location = (await selectLocations(db)).find(
    ({ name, display_name }) => name === wanted || display_name.toLowerCase() === wanted,
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
