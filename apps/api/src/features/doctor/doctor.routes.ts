import { routes } from "@palisade/contract/http/routes";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { presentReport } from "./doctor.presenter.ts";
import { examine, type DoctorDeps } from "./doctor.service.ts";

export function mountDoctorRoutes(mount: Mount, deps: DoctorDeps): void {
  mount(routes.doctor.runDoctor, async (ctx) => ({
    body: presentReport(
      await examine(deps, ctx.shield.id, { userId: ctx.actor.userId, signal: ctx.signal }),
      ctx,
    ),
  }));
}
