import type { PricingPlan, ServerLocation, SupportPlan } from "@palisade/contract/http/plans";
import { productFeatures } from "@palisade/contract/product-features";
import { type Locale, renderText } from "@palisade/contract/texts/render";
import { formatCents, totalCents, type Balance } from "#src/features/ledger/money.service.ts";
import type {
  selectLocations,
  selectPricingPlans,
  selectSupportPlans,
} from "./plans.repository.ts";
import { entitlements } from "./entitlements.service.ts";
import { translated } from "./translations.service.ts";

type Row<F extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<F>>[number];

export function presentPricingPlan(
  row: Row<typeof selectPricingPlans>,
  buyer: {
    readonly balance: Balance;
    readonly spendable: number;
    readonly gross: (netCents: number) => number;
    readonly vatRate: string;
    readonly periodEnd: Date;
  },
  locale: Locale,
): PricingPlan {
  const price = Number(row.price_cents);
  const gross = buyer.gross(price);
  const isAvailable = gross <= buyer.spendable || price === 0;
  const allowed = entitlements(row);
  const after = isAvailable ? totalCents(buyer.balance) - gross : null;
  return {
    id: row.id,
    name: translated(row, "name", locale),
    description: translated(row, "description", locale),
    price: formatCents(price),
    price_cents: price,
    currency: "EUR",
    period: "month",
    features: [
      ...translated(row, "features", locale).filter(exists),
      ...playersLine(allowed.shares.players, locale),
    ].map((feature_name) => ({ feature_name })),
    vat_rate: buyer.vatRate,
    total: formatCents(gross),
    total_cents: gross,
    includes: {
      domains_max: allowed.domainsMax,
      groups_max: allowed.backendGroupsMax,
      caching: allowed.caching,
      customization: allowed.customization,
      bedrock: allowed.bedrock,
      antibot_max: allowed.antibotMax,
      anti_vpn: allowed.antiVpn,
    },
    is_available: isAvailable,
    balance_after: after === null ? null : formatCents(after),
    balance_after_cents: after,
    renews_at: price === 0 ? null : buyer.periodEnd.toISOString(),
  };
}

/** Their number is the share of one edge, so it holds wherever players enter. */
function playersLine(players: number | null, locale: Locale): string[] {
  if (players === null) return [];
  return [renderText(locale, "plan.players", { players: players.toLocaleString(locale) })];
}

/** Seeded lines that a plan which staff edited may still hold (the seeds adapt the others). */
const bedrockLines = new Set(["Bedrock and Geyser", "Bedrock и Geyser"]);

function exists(feature: string): boolean {
  return productFeatures.bedrock || !bedrockLines.has(feature);
}

export function presentSupportPlan(
  row: Row<typeof selectSupportPlans>,
  locale: Locale,
): SupportPlan {
  const price = Number(row.price_cents);
  return {
    id: row.id,
    name: translated(row, "name", locale),
    description: translated(row, "description", locale),
    price: formatCents(price),
    price_cents: price,
    currency: "EUR",
    period: "month",
  };
}

export function presentLocation(row: Row<typeof selectLocations>, locale: Locale): ServerLocation {
  return {
    name: row.name,
    display_name: translated(row, "display_name", locale),
    flag_url: row.flag_url,
    is_available: row.is_available,
  };
}
