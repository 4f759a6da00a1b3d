import { sql } from "kysely";
import { newId } from "#src/platform/database/ids.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { locations } from "./locations.ts";
import { pricingPlans, supportPlans } from "./plans.ts";

/**
 * The plans, support plans and locations of a new installation. Existing rows stay as they are,
 * because staff may have changed them. Only a row without translations gets them, if its English
 * texts are still the ones that were translated.
 */
export async function seed(db: Executor): Promise<void> {
  await seedPricingPlans(db);
  await seedSupportPlans(db);
  await seedLocations(db);
}

async function seedPricingPlans(db: Executor): Promise<void> {
  for (const [position, plan] of pricingPlans.entries()) {
    await db
      .insertInto("pricing_plans")
      .values({
        ...plan,
        id: newId(),
        features: JSON.stringify(plan.features),
        limits: JSON.stringify(plan.limits),
        translations: JSON.stringify(plan.translations),
        position,
        retired_at: null,
      })
      .onConflict((conflict) =>
        conflict
          .column("slug")
          .doUpdateSet((eb) => ({ translations: eb.ref("excluded.translations") }))
          .where(
            sql<boolean>`pricing_plans.translations = '{}'
              and (pricing_plans.name, pricing_plans.description, pricing_plans.features)
                = (excluded.name, excluded.description, excluded.features)`,
          ),
      )
      .execute();
  }
}

async function seedSupportPlans(db: Executor): Promise<void> {
  for (const [position, plan] of supportPlans.entries()) {
    await db
      .insertInto("support_plans")
      .values({ ...plan, id: newId(), translations: JSON.stringify(plan.translations), position })
      .onConflict((conflict) =>
        conflict
          .column("slug")
          .doUpdateSet((eb) => ({ translations: eb.ref("excluded.translations") }))
          .where(
            sql<boolean>`support_plans.translations = '{}'
              and (support_plans.name, support_plans.description)
                = (excluded.name, excluded.description)`,
          ),
      )
      .execute();
  }
}

async function seedLocations(db: Executor): Promise<void> {
  for (const [position, location] of locations.entries()) {
    await db
      .insertInto("locations")
      .values({ ...location, translations: JSON.stringify(location.translations), position })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet((eb) => ({ translations: eb.ref("excluded.translations") }))
          .where(
            sql<boolean>`locations.translations = '{}'
              and locations.display_name = excluded.display_name`,
          ),
      )
      .execute();
  }
}
