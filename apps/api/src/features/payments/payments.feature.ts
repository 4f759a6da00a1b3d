import type { Feature, Platform } from "#src/platform/platform.ts";
import { booksJob } from "./books.job.ts";
import { createCheckoutOrdering } from "./checkouts.service.ts";
import { eventRetentionJob } from "./event-retention.job.ts";
import { createEventProcessor, eventJob } from "./events.service.ts";
import type { PaymentProviders } from "./payment-provider.ts";
import { mountPaymentRoutes } from "./payments.routes.ts";
import { pollJob } from "./poll.job.ts";
import { createSettlement } from "./settlement.service.ts";

/** Top-ups: their checkouts, their settlement and the list of transactions. */
export function createPaymentsFeature(
  platform: Pick<Platform, "db" | "clock" | "jobs" | "log" | "failpoint">,
  providers: PaymentProviders,
): Feature {
  const deps = { ...platform, providers };
  const settle = createSettlement(deps);
  const processEvent = createEventProcessor({ ...platform, settle });
  const orderCheckout = createCheckoutOrdering(deps);
  return {
    mountRoutes: (mount) => mountPaymentRoutes(mount, { ...deps, settle, orderCheckout }),
    jobs: [
      eventJob(processEvent),
      pollJob({ ...platform, settle, processEvent }),
      eventRetentionJob(platform.db, platform.clock),
      booksJob({ ...deps, settle }),
    ],
  };
}
