import type { Executor } from "#src/platform/database/db.ts";
import type { EdgeAccess, Feature, Platform, ShieldAccess } from "#src/platform/platform.ts";

export interface ShieldsPart extends Feature {
  readonly shieldAccess: ShieldAccess;
  readonly edgeAccess: EdgeAccess;
  /** The support plan a user holds, for the current user. */
  supportPlanOf(
    executor: Executor,
    userId: string,
  ): Promise<{ readonly id: string; readonly name: string } | null>;
}

/** Plans, shields and edges. */
export function composeShields(_platform: Platform): ShieldsPart {
  return {
    mountRoutes() {},
    shieldAccess: async () => null,
    edgeAccess: async () => null,
    supportPlanOf: async () => null,
  };
}
