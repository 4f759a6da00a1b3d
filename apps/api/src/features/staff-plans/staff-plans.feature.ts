import type { ShieldWrites } from "#src/features/configuration/shield-writes.service.ts";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Feature } from "#src/platform/platform.ts";
import { planLimitsJob } from "./plan-limits.job.ts";
import { mountStaffPlanRoutes, type StaffPlansDeps } from "./staff-plans.routes.ts";

export function createStaffPlansFeature(
  deps: StaffPlansDeps & { readonly clock: Clock; readonly writes: ShieldWrites },
): Feature {
  return {
    mountRoutes: (mount) => mountStaffPlanRoutes(mount, deps),
    jobs: [planLimitsJob(deps)],
  };
}
