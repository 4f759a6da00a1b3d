import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { listLocations, listPricingPlans, listSupportPlans } from "./plans.service.ts";

export function mountPlansRoutes(mount: Mount, db: Db): void {
  mount(routes.plans.listPricingPlans, async (ctx) => ({
    body: { plans: await listPricingPlans(db, { ...ctx, userId: ctx.actor.userId }) },
  }));
  mount(routes.plans.listSupportPlans, async (ctx) => ({
    body: { plans: await listSupportPlans(db, ctx.locale) },
  }));
  mount(routes.plans.listLocations, async (ctx, { query }) => ({
    body: { locations: await listLocations(db, query.pricing_plan_id, ctx.locale) },
  }));
}
