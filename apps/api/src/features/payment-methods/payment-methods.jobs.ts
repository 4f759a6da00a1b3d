import type { JobDefinition } from "#src/platform/jobs/jobs.ts";
import type { Mailer } from "#src/platform/mail/mailer.ts";
import type { Logger } from "pino";
import { z } from "zod";
import { forgettingJob } from "./forget-cards.service.ts";
import {
  endSetup,
  markWarned,
  postponeSetup,
  selectDueSetups,
  takeExpiring,
} from "./payment-methods.repository.ts";
import { removalJob, settleSetup, type PaymentMethodsDeps } from "./payment-methods.service.ts";

export interface PaymentMethodJobsDeps extends PaymentMethodsDeps {
  readonly mailer: Mailer;
  readonly log: Logger;
}

const removal = z.object({ paymentMethod: z.string() });
const dayMs = 86_400_000;

/** Bounds one run when there is a backlog. */
const perRunMax = 100;

/** Tells the provider about removed cards; tries for about a day. */
export function cardRemoval({ cards, log }: PaymentMethodJobsDeps): JobDefinition<object> {
  return {
    name: removalJob,
    retryLimit: 14,
    retryDelaySeconds: 5,
    async run(data) {
      const { paymentMethod } = removal.parse(data);
      if (cards === undefined) throw new Error("No provider keeps cards here");
      await cards.removeCard(paymentMethod);
    },
    onGivenUp: (data, error) =>
      log.error({ err: error, data }, "A removed card is still stored at the provider"),
  };
}

const forgetting = z.object({ customerId: z.string() });

/** Has the provider delete the customer of a deleted account; tries for about a day. */
export function customerRemoval({ cards, log }: PaymentMethodJobsDeps): JobDefinition<object> {
  return {
    name: forgettingJob,
    retryLimit: 14,
    retryDelaySeconds: 5,
    async run(data) {
      const { customerId } = forgetting.parse(data);
      if (cards === undefined) throw new Error("No provider keeps cards here");
      await cards.removeCustomer(customerId);
    },
    onGivenUp: (data, error) =>
      log.error({ err: error, data }, "The customer of a deleted account is still at the provider"),
  };
}

/** A page stays open for a day at most. */
const setupLifeMs = 25 * 3_600_000;
const setupPauseMs = 3_600_000;

/** Takes cards over whose set-up neither an event nor the return page reported. */
export function setupPoll(deps: PaymentMethodJobsDeps): JobDefinition<object> {
  const { db, clock, log } = deps;
  return {
    name: "payment-methods.poll",
    retryLimit: 0,
    retryDelaySeconds: 60,
    cron: "*/10 * * * *",
    async run() {
      for (const { id, created_at } of await selectDueSetups(db, clock.now(), perRunMax)) {
        await postponeSetup(db, id, new Date(clock.now().getTime() + setupPauseMs));
        const isSettled = await settleSetup(deps, id).then(
          () => true,
          (error: unknown) => {
            log.warn({ err: error, setup: id }, "A card could not be taken over yet");
            return false;
          },
        );
        const isOver = clock.now().getTime() >= created_at.getTime() + setupLifeMs;
        if (isSettled && isOver) await endSetup(db, id, "ended");
      }
    },
  };
}

/** The mail leaves so long before the last day on which the card is valid, or earlier. */
const warnedBeforeMs = 30 * dayMs;

/** Tells owners that a card is about to expire: one mail for each expiry. */
export function expiryWarnings({
  db,
  clock,
  mailer,
}: PaymentMethodJobsDeps): JobDefinition<object> {
  return {
    name: "payment-methods.expiry",
    retryLimit: 2,
    retryDelaySeconds: 60,
    cron: "23 9 * * *",
    async run() {
      const until = new Date(clock.now().getTime() + warnedBeforeMs);
      while ((await warnSome(until)) === perRunMax);
    },
  };

  function warnSome(until: Date): Promise<number> {
    return db.transaction().execute(async (trx) => {
      const cards = await takeExpiring(trx, lastMonthEndedBy(until), perRunMax);
      for (const { id, brand, last4, email, locale, expiry } of cards) {
        await markWarned(trx, id, expiry);
        await mailer.enqueue(trx, {
          to: email,
          template: "cards.expiring",
          locale,
          values: { brand, last4, expiry },
        });
      }
      return cards.length;
    });
  }
}

/** The last month (UTC) that is over by a moment, as `2026-11`. */
function lastMonthEndedBy(moment: Date): string {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), 0))
    .toISOString()
    .slice(0, 7);
}
