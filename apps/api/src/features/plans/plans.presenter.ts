import type { PricingPlan, ServerLocation, SupportPlan } from "@palisade/contract/http/plans";
import { formatCents } from "#src/features/ledger/money.service.ts";
import type {
  selectLocations,
  selectPricingPlans,
  selectSupportPlans,
} from "./plans.repository.ts";

type Row<F extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<F>>[number];

export function presentPricingPlan(
  row: Row<typeof selectPricingPlans>,
  spendable: number,
): PricingPlan {
  const price = Number(row.price_cents);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: formatCents(price),
    price_cents: price,
    currency: "EUR",
    period: "month",
    features: row.features.map((feature_name) => ({ feature_name })),
    is_available: price <= spendable,
  };
}

export function presentSupportPlan(row: Row<typeof selectSupportPlans>): SupportPlan {
  const price = Number(row.price_cents);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: formatCents(price),
    price_cents: price,
    currency: "EUR",
    period: "month",
  };
}

export function presentLocation(row: Row<typeof selectLocations>): ServerLocation {
  return {
    name: row.name,
    display_name: row.display_name,
    flag_url: row.flag_url,
    is_available: row.is_available,
  };
}
