import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { getDashboard } from "./dashboard.service.ts";

export function mountDashboardRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.profile.getDashboard, async (ctx) => ({
    body: await getDashboard(db, ctx.actor.userId, ctx.now),
  }));
}
