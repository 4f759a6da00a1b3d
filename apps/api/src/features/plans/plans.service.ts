import type { Locale } from "@palisade/contract/texts/render";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { Executor, Trx } from "#src/platform/database/db.ts";
import { balanceOf } from "#src/features/ledger/ledger.service.ts";
import { formatCents, readCents, spendableCents } from "#src/features/ledger/money.service.ts";
import { grossPricing } from "#src/features/vat/vat.service.ts";
import { addMonths } from "#src/features/subscriptions/billing-period.service.ts";
import { entitlements, type Entitlements } from "./entitlements.service.ts";
import {
  lockPricingPlan,
  lockSupportPlan,
  selectHeldSupportPlan,
  selectLocations,
  selectPlanLimits,
  selectPricingPlans,
  selectSupportPlans,
} from "./plans.repository.ts";
import { presentLocation, presentPricingPlan, presentSupportPlan } from "./plans.presenter.ts";
import { translated } from "./translations.service.ts";

/** Plans with whether the caller's balance covers them, what it would be after buying, and until when. */
export async function listPricingPlans(
  db: Executor,
  caller: { readonly userId: string; readonly now: Date; readonly locale: Locale },
) {
  const balance = await balanceOf(db, caller.userId);
  const buyer = {
    balance,
    ...(await grossPricing(db, caller.userId, caller.now)),
    spendable: spendableCents(balance),
    periodEnd: addMonths(caller.now, 1),
  };
  return (await selectPricingPlans(db)).map((row) => presentPricingPlan(row, buyer, caller.locale));
}

export async function listSupportPlans(db: Executor, locale: Locale) {
  return (await selectSupportPlans(db)).map((row) => presentSupportPlan(row, locale));
}

/** The support plan a user holds: without a paid one, the free plan. */
export async function supportPlanOf(db: Executor, userId: string, locale: Locale) {
  const held = await selectHeldSupportPlan(db, userId);
  if (held !== undefined) return { id: held.id, name: translated(held, "name", locale) };
  const free = (await selectSupportPlans(db)).find(({ price_cents }) => Number(price_cents) === 0);
  return free === undefined ? null : { id: free.id, name: translated(free, "name", locale) };
}

/** The plan of those who pay for none. */
export async function freeSupportPlanName(db: Executor, locale: Locale): Promise<string> {
  const free = (await selectSupportPlans(db)).find(({ price_cents }) => Number(price_cents) === 0);
  return free === undefined ? "" : translated(free, "name", locale);
}

/** @param planId locations that this plan does not include are shown as unavailable */
export async function listLocations(db: Executor, planId: string | undefined, locale: Locale) {
  const allows = planId === undefined ? () => true : await locationsOfPlan(db, planId);
  return (await selectLocations(db)).map((row) =>
    presentLocation({ ...row, is_available: row.is_available && allows(row.name) }, locale),
  );
}

/** All locations, each with every text that names it. */
export async function knownLocations(db: Executor) {
  return (await selectLocations(db)).map((row) => ({
    name: row.name,
    isAvailable: row.is_available,
    texts: [
      row.display_name,
      ...Object.values(row.translations).flatMap(({ display_name }) => display_name ?? []),
    ],
    textOf: (locale: Locale) => translated(row, "display_name", locale),
  }));
}

/** Name and limits of a plan that a shield is on or will be on, which may no longer be on offer. */
export async function planLimitsOf(db: Executor, planId: string) {
  const plan = await selectPlanLimits(db, planId);
  if (plan === undefined) throw new Error(`There is no plan ${planId}`);
  return plan;
}

/** @throws DomainError `plan_unavailable` */
export async function requireSupportPlan(trx: Trx, planId: string, locale: Locale) {
  const plan = await lockSupportPlan(trx, planId);
  if (plan === undefined) throw new DomainError("plan_unavailable");
  const priceCents = readCents(plan.price_cents);
  return { id: plan.id, name: translated(plan, "name", locale), priceCents };
}

async function locationsOfPlan(db: Executor, planId: string) {
  const plan = await selectPlanLimits(db, planId);
  if (plan === undefined) throw fieldError("pricing_plan_id", "pricing_plan_id.invalid");
  return entitlements(plan).allowsLocation;
}

/**
 * The plan a caller wants to buy. Its price cannot change until `trx` ends, and this waits for a
 * change that is under way.
 *
 * @throws DomainError `plan_unavailable` if it is not on offer, `price_changed` if the caller saw
 *   another price
 */
export async function requirePlan(
  trx: Trx,
  order: { readonly planId: string; readonly expectedPriceCents: number | undefined },
) {
  const plan = await lockPricingPlan(trx, order.planId);
  if (plan === undefined) throw new DomainError("plan_unavailable");
  const priceCents = readCents(plan.price_cents);
  if (priceCents !== (order.expectedPriceCents ?? priceCents)) {
    throw new DomainError("price_changed", { values: { price: formatCents(priceCents) } });
  }
  return { id: plan.id, name: plan.name, priceCents, entitlements: entitlements(plan) };
}

/**
 * The location that a value, name or display text in any language names.
 *
 * @throws DomainError `location_unavailable` with the field `location`, also if the plan does not
 *   include it
 */
export async function requireLocation(db: Executor, text: string, plan: Entitlements) {
  const wanted = text.trim().toLowerCase();
  const location = (await selectLocations(db)).find(({ name, display_name, translations }) =>
    [name, display_name, ...Object.values(translations).map((texts) => texts.display_name)].some(
      (known) => known?.toLowerCase() === wanted,
    ),
  );
  if (location?.is_available !== true || !plan.allowsLocation(location.name)) {
    throw locationUnavailable();
  }
  return location;
}

/** Like `requireLocation`, for a new edge: the location need not have one yet. */
export async function requireKnownLocation(db: Executor, name: string): Promise<void> {
  const locations = await selectLocations(db);
  const known = locations.some((location) => location.name === name && !location.is_retired);
  if (!known) throw locationUnavailable();
}

function locationUnavailable(): DomainError {
  return new DomainError("location_unavailable", {
    issues: [{ path: "location", code: "error.location_unavailable" }],
  });
}
