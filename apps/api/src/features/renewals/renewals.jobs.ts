import type { Logger } from "pino";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import { selectDueTopUps } from "./automatic-top-ups.repository.ts";
import { topUpDue } from "./automatic-top-ups.service.ts";
import { warnOfLowBalances } from "./low-balance.service.ts";
import { deleteQuotes } from "./plan-quotes.repository.ts";
import { hourMs } from "./renewal.policy.ts";
import { renewDue, type RenewalDeps } from "./renewals.service.ts";
import { selectDueShields } from "./renewals.repository.ts";
import { renewSupportDue } from "./support-renewals.service.ts";
import { selectDueSupport } from "./support-subscriptions.repository.ts";
import { limitTraffic, trafficDue } from "./traffic-limits.service.ts";

export interface RenewalJobsDeps extends RenewalDeps {
  readonly clock: Clock;
  readonly log: Logger;
}

const limit = 50;
/** Cards answer slowly; the database has few connections. */
const atOnce = 4;
/** With so many failures the cause is not a single subscription. */
const failuresMax = 200;

/** Renews what is due: shields first, because players depend on them. */
export function renewals(deps: RenewalJobsDeps): JobDefinition<object> {
  const { db } = deps;
  return {
    name: "subscriptions.renew",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run(_data, signal) {
      await runAll(deps, signal, {
        what: "A renewal",
        due: (now, but) => selectDueShields(db, now, { limit, but }),
        step: (id, now) => renewDue(deps, id, now),
      });
      await runAll(deps, signal, {
        what: "The renewal of a support plan",
        due: (now, but) => selectDueSupport(db, now, { limit, but }),
        step: (id, now) => renewSupportDue(deps, id, now),
      });
    },
  };
}

/** One that fails does not hold up the others; it stays due. */
async function runAll(
  { clock, log }: RenewalJobsDeps,
  signal: AbortSignal | undefined,
  work: {
    readonly what: string;
    due(now: Date, but: readonly string[]): Promise<string[]>;
    step(id: string, now: Date): Promise<void>;
  },
): Promise<void> {
  const now = clock.now();
  const failed: string[] = [];
  while (failed.length < failuresMax) {
    if (signal?.aborted === true) return;
    const ids = await work.due(now, failed);
    if (ids.length === 0) return;
    for (let at = 0; at < ids.length; at += atOnce) {
      await Promise.all(
        ids.slice(at, at + atOnce).map(async (id) => {
          try {
            await work.step(id, now);
          } catch (error) {
            failed.push(id);
            log.error({ err: error, id }, `${work.what} could not be processed`);
          }
        }),
      );
    }
  }
}

/** Tells owners of their traffic, and ends new joins where it is used up. */
export function trafficLimits(deps: RenewalJobsDeps): JobDefinition<object> {
  const { db, clock, log } = deps;
  return {
    name: "subscriptions.traffic",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "*/5 * * * *",
    async run(_data, signal) {
      const now = clock.now();
      for (const shieldId of await trafficDue(db, now)) {
        if (signal?.aborted === true) return;
        await limitTraffic(deps, shieldId, now).catch((error: unknown) => {
          log.error({ err: error, shieldId }, "The traffic of a shield could not be limited");
        });
      }
    },
  };
}

/** Charges saved cards of accounts whose balance is below their limit. */
export function automaticTopUps(deps: RenewalJobsDeps): JobDefinition<object> {
  const { db } = deps;
  return {
    name: "subscriptions.top-up",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "* * * * *",
    async run(_data, signal) {
      await runAll(deps, signal, {
        what: "An automatic top-up",
        due: (now, but) => selectDueTopUps(db, now, { limit, but }),
        step: (id, now) => topUpDue(deps, id, now),
      });
    },
  };
}

/** Warns of low balances, and deletes quotes that no longer hold. */
export function hourlyBilling(deps: RenewalJobsDeps): JobDefinition<object> {
  return {
    name: "subscriptions.warn",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "17 * * * *",
    async run() {
      const now = deps.clock.now();
      await warnOfLowBalances(deps, now);
      await deleteQuotes(deps.db, new Date(now.getTime() - hourMs));
    },
  };
}
