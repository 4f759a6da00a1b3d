import type { Locale } from "@palisade/contract/texts/render";
import type { ColumnType, JSONColumnType } from "kysely";
import type { BigIntText, Generated } from "./columns.ts";

/** Texts in languages other than English; each may be missing. */
export type Translations<Texts> = Readonly<Partial<Record<Locale, Partial<Texts>>>>;

/** Written as JSON; an insert without a value stores none. */
type TranslationsColumn<Texts> = ColumnType<Translations<Texts>, string | undefined, string>;

interface PricingPlansTable {
  id: string;
  slug: string;
  name: string;
  description: string;
  price_cents: BigIntText;
  features: JSONColumnType<string[]>;
  /** Read through `entitlements` only. */
  limits: ColumnType<unknown, string, string>;
  translations: TranslationsColumn<{ name: string; description: string; features: string[] }>;
  position: number;
  retired_at: Date | null;
  created_at: Generated<Date>;
}

interface SupportPlansTable {
  id: string;
  slug: string;
  name: string;
  description: string;
  price_cents: BigIntText;
  translations: TranslationsColumn<{ name: string; description: string }>;
  position: number;
  retired_at: Generated<Date | null>;
  created_at: Generated<Date>;
}

interface LocationsTable {
  cookie_salt: ColumnType<string, number | undefined, number>;
  name: string;
  display_name: string;
  flag_url: string | null;
  translations: TranslationsColumn<{ display_name: string }>;
  position: number;
  retired_at: Generated<Date | null>;
}

export interface PlansTables {
  pricing_plans: PricingPlansTable;
  support_plans: SupportPlansTable;
  locations: LocationsTable;
}
