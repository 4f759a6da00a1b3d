import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Logger } from "pino";
import { postponeEvent, selectDueEvents } from "./events.repository.ts";
import type { ProcessEvent } from "./events.service.ts";
import { postponePoll, selectDueIntents } from "./intents.repository.ts";
import { eventRetryMs, nextPollAt } from "./poll.policy.ts";
import { ProviderMissing, type Settle } from "./settlement.service.ts";

/** Bounds one run when there is a backlog. */
const perRunMax = 100;

/** A run ends well before it would be taken for one whose process died; the next goes on. */
const runMsMax = 180_000;

export interface PollDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settle: Settle;
  readonly processEvent: ProcessEvent;
}

/**
 * Credits payments that neither a webhook nor the return page reported, ends unpaid intents, and
 * processes events whose job gave up. Each gets its next date before its turn, so that a failing
 * one does not block the others.
 */
export function pollJob(deps: PollDeps): JobDefinition<object> {
  return {
    name: "payments.poll",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run() {
      await pollIntents(deps);
      await processDueEvents(deps);
    },
  };
}

/** The intents of each provider in turn, and providers at once: a slow one delays only its own. */
async function pollIntents(deps: PollDeps): Promise<void> {
  const endsAtMs = performance.now() + runMsMax;
  const due = await selectDueIntents(deps.db, deps.clock.now(), perRunMax);
  const byProvider = Map.groupBy(due, ({ provider }) => provider);
  await Promise.all([...byProvider.values()].map((intents) => pollEach(deps, intents, endsAtMs)));
}

type DueIntent = Awaited<ReturnType<typeof selectDueIntents>>[number];

async function pollEach(
  { db, clock, log, settle }: PollDeps,
  intents: readonly DueIntent[],
  endsAtMs: number,
): Promise<void> {
  for (const intent of intents) {
    if (performance.now() >= endsAtMs) return;
    const { id, polls } = intent;
    await postponePoll(db, id, { polls: polls + 1, nextAt: nextPollAt(intent, clock.now()) });
    await settle(id).catch((error: unknown) => {
      if (error instanceof ProviderMissing) return;
      log.warn(
        { err: error, intent: id },
        "An intent could not be settled: its provider did not answer",
      );
    });
  }
}

async function processDueEvents({ db, clock, log, processEvent }: PollDeps): Promise<void> {
  for (const { id, tries } of await selectDueEvents(db, clock.now(), perRunMax)) {
    const nextAt = new Date(clock.now().getTime() + eventRetryMs(tries));
    await postponeEvent(db, id, { tries: tries + 1, nextAt });
    await processEvent(id).catch((error: unknown) => {
      if (error instanceof ProviderMissing) return;
      log.warn({ err: error, event: id }, "An event could not be processed");
    });
  }
}
