import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { reportOn, type DoctorDeps } from "./doctor.service.ts";

export function mountDoctorRoutes(mount: Mount, deps: DoctorDeps): void {
  mount(routes.doctor.runDoctor, async (ctx) => ({
    body: await reportOn(deps, ctx.shield.id, {
      userId: ctx.actor.userId,
      signal: ctx.signal,
      now: ctx.now,
      locale: ctx.locale,
    }),
  }));
}
