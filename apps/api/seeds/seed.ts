import { newId } from "#src/platform/ids.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { locations } from "./locations.ts";
import { pricingPlans, supportPlans } from "./plans.ts";

/**
 * Plans, support plans and locations a new installation starts with. Rows that exist stay as
 * they are: staff may have changed them since.
 */
export async function seed(db: Executor): Promise<void> {
  for (const [position, plan] of pricingPlans.entries()) {
    await db
      .insertInto("pricing_plans")
      .values({
        ...plan,
        id: newId(),
        features: JSON.stringify(plan.features),
        limits: JSON.stringify(plan.limits),
        position,
        retired_at: null,
      })
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .execute();
  }
  for (const [position, plan] of supportPlans.entries()) {
    await db
      .insertInto("support_plans")
      .values({ ...plan, id: newId(), position })
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .execute();
  }
  for (const [position, location] of locations.entries()) {
    await db
      .insertInto("locations")
      .values({ ...location, position })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
  }
}
