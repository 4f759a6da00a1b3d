import { routes } from "@palisade/contract/http/routes";
import type { Feature } from "#src/platform/platform.ts";
import { presentReport } from "./doctor.presenter.ts";
import { examine, type DoctorDeps } from "./doctor.service.ts";

export function createDoctorFeature(deps: DoctorDeps): Feature {
  return {
    mountRoutes(mount) {
      mount(routes.doctor.runDoctor, async (ctx) => ({
        body: presentReport(
          await examine(deps, ctx.shield.id, { userId: ctx.actor.userId, signal: ctx.signal }),
          ctx,
        ),
      }));
    },
  };
}
