import { routes } from "@palisade/contract/http/routes";
import type { Executor } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/http/domain-error.ts";
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
    mountRoutes(mount) {
      // Until the features are composed here: replace this loop by their mount functions.
      const { auth: _, ...others } = routes;
      for (const family of Object.values(others)) {
        for (const route of Object.values(family)) {
          mount(route, async () => {
            throw new DomainError("unavailable");
          });
        }
      }
    },
    shieldAccess: async () => null,
    edgeAccess: async () => null,
    supportPlanOf: async () => null,
  };
}
