import type { ColumnType, JSONColumnType } from "kysely";
import type { BigIntText, Generated } from "./columns.ts";

interface PricingPlansTable {
  id: string;
  slug: string;
  name: string;
  description: string;
  price_cents: BigIntText;
  features: JSONColumnType<string[]>;
  /** Read through `entitlements` only. */
  limits: ColumnType<unknown, string, string>;
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
  position: number;
  created_at: Generated<Date>;
}

interface LocationsTable {
  name: string;
  display_name: string;
  flag_url: string | null;
  position: number;
}

export interface PlansTables {
  pricing_plans: PricingPlansTable;
  support_plans: SupportPlansTable;
  locations: LocationsTable;
}
