import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { listResponseTimes } from "./response-clock.service.ts";

export function mountSupportTargetsRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.responseTimes.listResponseTimes, async ({ actor, now }) => ({
    body: { response_times: await listResponseTimes(db, actor.userId, now) },
  }));
}
