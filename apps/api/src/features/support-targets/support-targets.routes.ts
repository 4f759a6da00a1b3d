import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { listResponseTimes } from "./response-clock.service.ts";
import { changeHours, changeTargets, readTargets } from "./staff-targets.service.ts";

const { responseTimes, staffSupport } = routes;

export function mountSupportTargetsRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(responseTimes.listResponseTimes, async ({ actor, now }) => ({
    body: { response_times: await listResponseTimes(db, actor.userId, now) },
  }));

  mount(staffSupport.readSupportTargets, async () => ({ body: await readTargets(db) }));
  mount(staffSupport.changeSupportTargets, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      await changeTargets(trx, params.plan, body);
      return { body: { message: ctx.text("ok.support_targets_saved") } };
    }),
  );
  mount(staffSupport.changeSupportHours, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      await changeHours(trx, body);
      return { body: { message: ctx.text("ok.support_hours_saved") } };
    }),
  );
}
