import { productFeatures } from "@palisade/contract/product-features";
import { sql } from "kysely";
import { newId } from "#src/platform/database/ids.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { locations } from "./locations.ts";
import { supportTargets } from "./support-targets.ts";
import { pricingPlans, supportPlans, type Offered } from "./plans.ts";

/**
 * The plans, support plans and locations of a new installation. Existing rows stay as they are,
 * because staff may have changed them. Only texts that are still a version's own follow this
 * version: they get translations, and name the features that it offers.
 */
export async function seed(db: Executor): Promise<void> {
  await seedPricingPlans(db);
  await seedSupportPlans(db);
  await seedSupportTargets(db);
  await seedLocations(db);
}

/** A row with the texts of any of these has not been changed by staff. */
const everyOffer: readonly Offered[] = [false, true].flatMap((bedrock) =>
  [false, true].map((tickets) => ({ bedrock, tickets })),
);

async function seedPricingPlans(db: Executor): Promise<void> {
  for (const [position, plan] of pricingPlans(productFeatures).entries()) {
    const own = everyOffer.flatMap((offer) =>
      pricingPlans(offer)
        .filter(({ slug }) => slug === plan.slug)
        .map(({ name, description, features, translations }) => [
          sql`(${name}, ${description}, ${JSON.stringify(features)}::jsonb, '{}'::jsonb)`,
          sql`(${name}, ${description}, ${JSON.stringify(features)}::jsonb,
            ${JSON.stringify(translations)}::jsonb)`,
        ]),
    );
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
          .doUpdateSet((eb) => ({
            features: eb.ref("excluded.features"),
            translations: eb.ref("excluded.translations"),
          }))
          .where(
            sql<boolean>`(pricing_plans.name, pricing_plans.description, pricing_plans.features,
              pricing_plans.translations) in (${sql.join(own.flat())})`,
          ),
      )
      .execute();
  }
}

async function seedSupportPlans(db: Executor): Promise<void> {
  for (const [position, plan] of supportPlans(productFeatures).entries()) {
    const own = everyOffer.flatMap((offer) =>
      supportPlans(offer)
        .filter(({ slug }) => slug === plan.slug)
        .map(({ name, description, translations }) => [
          sql`(${name}, ${description}, '{}'::jsonb)`,
          sql`(${name}, ${description}, ${JSON.stringify(translations)}::jsonb)`,
        ]),
    );
    await db
      .insertInto("support_plans")
      .values({ ...plan, id: newId(), translations: JSON.stringify(plan.translations), position })
      .onConflict((conflict) =>
        conflict
          .column("slug")
          .doUpdateSet((eb) => ({
            description: eb.ref("excluded.description"),
            translations: eb.ref("excluded.translations"),
          }))
          .where(
            sql<boolean>`(support_plans.name, support_plans.description,
              support_plans.translations) in (${sql.join(own.flat())})`,
          ),
      )
      .execute();
  }
}

async function seedSupportTargets(db: Executor): Promise<void> {
  for (const { slug, ...target } of supportTargets) {
    await db
      .insertInto("support_targets")
      .columns(["support_plan_id", "severity", "response_minutes", "hours"])
      .expression((eb) =>
        eb
          .selectFrom("support_plans")
          .select([
            "id",
            sql.val(target.severity).$castTo<typeof target.severity>().as("severity"),
            sql.val(target.minutes).$castTo<number>().as("response_minutes"),
            sql.val(target.hours).$castTo<typeof target.hours>().as("hours"),
          ])
          .where("slug", "=", slug),
      )
      .onConflict((conflict) => conflict.doNothing())
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
