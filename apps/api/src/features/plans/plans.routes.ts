import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { listLocations, listPricingPlans, listSupportPlans } from "./plans.service.ts";

export function createPlansFeature({ db }: { readonly db: Db }): Feature {
  return {
    mountRoutes(mount) {
      mount(routes.plans.listPricingPlans, async (ctx) => ({
        body: { plans: await listPricingPlans(db, { ...ctx, userId: ctx.actor.userId }) },
      }));
      mount(routes.plans.listSupportPlans, async (ctx) => ({
        body: { plans: await listSupportPlans(db, ctx.locale) },
      }));
      mount(routes.plans.listLocations, async (ctx, { query }) => ({
        body: { locations: await listLocations(db, query.pricing_plan_id, ctx.locale) },
      }));
    },
  };
}
