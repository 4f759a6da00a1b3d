import { sql } from "kysely";
import type { Executor, Trx } from "#src/platform/database/db.ts";

/** Plans on offer, in their order. */
export function selectPricingPlans(db: Executor) {
  return db
    .selectFrom("pricing_plans")
    .select([
      "id",
      "name",
      "description",
      "price_cents",
      "features",
      "translations",
      "limits as plan_limits",
    ])
    .where("retired_at", "is", null)
    .orderBy("position")
    .orderBy("name")
    .execute();
}

/** A plan on offer; it cannot change until `trx` ends. */
export function lockPricingPlan(trx: Trx, id: string) {
  return trx
    .selectFrom("pricing_plans")
    .select(["id", "name", "price_cents", "limits as plan_limits"])
    .where("id", "=", id)
    .where("retired_at", "is", null)
    .forShare()
    .executeTakeFirst();
}

/** Also finds plans that are no longer on offer: shields may still be on them. */
export function selectPlanLimits(db: Executor, id: string) {
  return db
    .selectFrom("pricing_plans")
    .select(["name", "limits as plan_limits"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** A support plan on offer; it cannot change until `trx` ends. */
export function lockSupportPlan(trx: Trx, id: string) {
  return trx
    .selectFrom("support_plans")
    .select(["id", "name", "price_cents", "translations"])
    .where("id", "=", id)
    .where("retired_at", "is", null)
    .forShare()
    .executeTakeFirst();
}

/** The paid support plan that a user holds. */
export function selectHeldSupportPlan(db: Executor, userId: string) {
  return db
    .selectFrom("support_subscriptions")
    .innerJoin("support_plans", "support_plans.id", "support_subscriptions.support_plan_id")
    .select(["support_plans.id", "support_plans.name", "support_plans.translations"])
    .where("support_subscriptions.user_id", "=", userId)
    .executeTakeFirst();
}

export function selectSupportPlans(db: Executor) {
  return db
    .selectFrom("support_plans")
    .select(["id", "name", "description", "price_cents", "translations"])
    .where("retired_at", "is", null)
    .orderBy("position")
    .orderBy("name")
    .execute();
}

/**
 * A location is available if an edge is enrolled there, even if the edge is down now, and staff have
 * not retired it.
 */
export function selectLocations(db: Executor) {
  return db
    .selectFrom("locations")
    .select((eb) => [
      "name",
      "display_name",
      "flag_url",
      "translations",
      sql<boolean>`retired_at is not null`.as("is_retired"),
      eb
        .exists(
          eb
            .selectFrom("edges")
            .select("edges.id")
            .whereRef("edges.location", "=", "locations.name")
            .where("edges.kind", "=", "edge")
            .where("edges.enrolled_at", "is not", null)
            .where("edges.revoked_at", "is", null),
        )
        .and("locations.retired_at", "is", null)
        .$castTo<boolean>()
        .as("is_available"),
    ])
    .orderBy("position")
    .orderBy("name")
    .execute();
}
