import type { Feature } from "#src/platform/platform.ts";
import { cardMails } from "./card-mails.ts";
import {
  cardRemoval,
  customerRemoval,
  expiryWarnings,
  setupPoll,
  type PaymentMethodJobsDeps,
} from "./payment-methods.jobs.ts";
import { mountPaymentMethodRoutes } from "./payment-methods.routes.ts";

/** Saved cards: the provider keeps them, their owner lists and chooses them here. */
export function createPaymentMethodsFeature(deps: PaymentMethodJobsDeps): Feature {
  return {
    mountRoutes: (mount) => mountPaymentMethodRoutes(mount, deps),
    jobs: [cardRemoval(deps), customerRemoval(deps), setupPoll(deps), expiryWarnings(deps)],
    mailTemplates: cardMails,
  };
}
