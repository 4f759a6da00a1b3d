import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Feature } from "#src/platform/platform.ts";
import { deleteOldParts } from "./attack-ends.repository.ts";
import { deleteExpiredShares } from "./attack-shares.repository.ts";
import type { AttackPageDeps } from "./attack-page.service.ts";
import { closeSilentAttacks } from "./attack-reports.service.ts";
import { mountAttacksRoutes } from "./attacks.routes.ts";

export interface AttacksDeps extends AttackPageDeps {
  readonly clock: Clock;
}

export function createAttacksFeature(deps: AttacksDeps): Feature {
  return {
    mountRoutes: (mount) => mountAttacksRoutes(mount, deps),
    jobs: [attackClosing(deps.db), attackCleaning(deps)],
  };
}

function attackClosing(db: Db): JobDefinition<object> {
  return {
    name: "attacks.close",
    retryLimit: 0,
    retryDelaySeconds: 1,
    cron: "* * * * *",
    run: (_data, signal) => closeSilentAttacks(db, signal),
  };
}

function attackCleaning({ db, clock }: AttacksDeps): JobDefinition<object> {
  return {
    name: "attacks.clean",
    retryLimit: 3,
    retryDelaySeconds: 600,
    cron: "46 3 * * *",
    run: async () => {
      await deleteOldParts(db);
      await deleteExpiredShares(db, clock.now());
    },
  };
}
