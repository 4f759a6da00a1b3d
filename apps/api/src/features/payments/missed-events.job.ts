import { webhookProviders } from "@palisade/contract/http/billing";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { JobDefinition, Jobs } from "#src/platform/jobs/jobs.ts";
import type { Logger } from "pino";
import { storeEvent } from "./events.service.ts";
import type { PaymentProvider, PaymentProviders } from "./payment-provider.ts";

export interface MissedEventsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly providers: PaymentProviders;
}

/** Longer than an outage of a weekend, after which providers deliver no more. */
const lookedBackMs = 4 * 86_400_000;

/**
 * Hourly: stores events whose delivery never arrived. Refunds and disputes depend on it, because
 * the poller asks about unfinished payments only.
 */
export function missedEventsJob(deps: MissedEventsDeps): JobDefinition<object> {
  const { log, providers } = deps;
  return {
    name: "payments.missed-events",
    retryLimit: 2,
    retryDelaySeconds: 300,
    cron: "7 * * * *",
    async run() {
      for (const name of webhookProviders) {
        const provider = providers.named(name);
        if (provider?.isReady?.() === false) continue;
        if (provider?.listEvents !== undefined) await storeMissed(deps, provider);
      }
    },
  };

  async function storeMissed({ db, clock, jobs }: MissedEventsDeps, provider: PaymentProvider) {
    const now = clock.now();
    const events = await provider.listEvents?.(new Date(now.getTime() - lookedBackMs));
    for (const { body, ...event } of events ?? []) {
      await db
        .transaction()
        .execute((trx) => storeEvent(trx, jobs, provider, event, { body, now }));
    }
    log.debug({ provider: provider.name, events: events?.length }, "Events were compared");
  }
}
