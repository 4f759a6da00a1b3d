import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Feature } from "#src/platform/platform.ts";
import { getDashboard } from "./dashboard.service.ts";

export function createDashboardFeature({ db }: { readonly db: Db }): Feature {
  return {
    mountRoutes(mount) {
      mount(routes.profile.getDashboard, async (ctx) => ({
        body: await getDashboard(db, ctx.actor.userId, ctx.now),
      }));
    },
  };
}
