import type { Feature, Platform } from "#src/platform/platform.ts";
import { booksJob } from "./books.job.ts";
import type { Executor } from "#src/platform/database/db.ts";
import { createCardCharges, type ChargeSavedCard } from "./card-charges.service.ts";
import type { CardProvider, ChargeableCard } from "./card-provider.service.ts";
import { createCheckoutOrdering } from "./checkouts.service.ts";
import { eventRetentionJob } from "./event-retention.job.ts";
import { createEventProcessor, eventJob, type FollowReference } from "./events.service.ts";
import { missedEventsJob } from "./missed-events.job.ts";
import type { PaymentProviders } from "./payment-provider.ts";
import { mountPaymentRoutes } from "./payments.routes.ts";
import { pollJob } from "./poll.job.ts";
import { createRefundOrdering, refundJob, refundRetryJob } from "./refunds.service.ts";
import { createReversalSettlement } from "./reversals.service.ts";
import { createSettlement } from "./settlement.service.ts";

export interface SavedCards {
  /** Undefined: no provider keeps cards here. */
  readonly cards: CardProvider | undefined;
  readonly defaultCard: (db: Executor, userId: string) => Promise<ChargeableCard | undefined>;
  readonly followReference: FollowReference;
}

export interface PaymentsFeature extends Feature {
  readonly chargeSavedCard: ChargeSavedCard;
}

/** Top-ups: their checkouts, their settlement, refunds and disputes, and the list of transactions. */
export function createPaymentsFeature(
  platform: Pick<Platform, "db" | "clock" | "jobs" | "mailer" | "log" | "failpoint">,
  providers: PaymentProviders,
  { cards, defaultCard, followReference }: SavedCards,
): PaymentsFeature {
  const deps = { ...platform, providers };
  const settle = createSettlement(deps);
  const settleReversals = createReversalSettlement(deps);
  const processEvent = createEventProcessor({ ...deps, settle, settleReversals, followReference });
  const orderCheckout = createCheckoutOrdering(deps);
  const orderRefund = createRefundOrdering(deps);
  return {
    chargeSavedCard: createCardCharges({ ...deps, cards, defaultCard, settle }),
    mountRoutes: (mount) => mountPaymentRoutes(mount, { ...deps, settle, orderCheckout }),
    jobs: [
      eventJob(processEvent),
      pollJob({ ...platform, settle, processEvent }),
      refundJob(orderRefund),
      refundRetryJob(deps, orderRefund),
      missedEventsJob(deps),
      eventRetentionJob(platform.db, platform.clock),
      booksJob({ ...deps, settle }),
    ],
  };
}
