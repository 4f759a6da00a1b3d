import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Logger } from "pino";
import { postponePoll, selectDueIntents } from "./intents.repository.ts";
import { pollDelayMs } from "./poll.policy.ts";
import type { Settle } from "./settlement.service.ts";

/** So that a backlog cannot keep one run beyond its time. */
const perRunMax = 100;

/** Credits what no webhook and no return page told us about, and ends what nobody paid. */
export function pollJob(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settle: Settle;
}): JobDefinition<object> {
  const { db, clock, log, settle } = deps;
  return {
    name: "payments.poll",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run() {
      for (const { id, polls } of await selectDueIntents(db, clock.now(), perRunMax)) {
        // First, so that an intent which cannot be settled does not come first for ever.
        const nextAt = new Date(clock.now().getTime() + pollDelayMs(polls));
        await postponePoll(db, id, { polls: polls + 1, nextAt });
        await settle(id).catch((error: unknown) =>
          log.warn({ err: error, intent: id }, "A provider could not be asked about an intent"),
        );
      }
    },
  };
}
