import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { CardProvider, ChargeAnswer } from "../card-provider.service.ts";
import { sandboxAccount } from "./sandbox-provider.ts";
import { closeCheckout, insertCheckout, selectCheckout } from "./sandbox.repository.ts";
import {
  insertSandboxCard,
  markSandboxCardRemoved,
  selectSandboxCard,
  selectSandboxCards,
} from "./sandbox-cards.repository.ts";

/** How a sandbox card answers a charge, by its last digits; these are Stripe's test cards. */
const answers: Readonly<Record<string, ChargeAnswer>> = {
  "0002": "declined",
  "3155": "authentication",
};

const chargeLifeMs = 30 * 60_000;

/**
 * Saved cards for development. Its set-up has no page: it saves a card that pays, and sends the
 * browser back at once.
 */
export function createSandboxCards({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const cards: CardProvider = {
    name: "sandbox",
    account: sandboxAccount,
    isReady: () => true,
    createCustomer: (userId) => Promise.resolve(`customer-${userId}`),
    async createSetup({ setupId, customerId, successPath }) {
      await insertSandboxCard(db, {
        payment_method: `card-${setupId}`,
        customer_id: customerId,
        setup_id: setupId,
        last4: "4242",
        exp_month: 12,
        exp_year: clock.now().getUTCFullYear() + 3,
        removed_at: null,
      });
      return { reference: `setup-${setupId}`, url: successPath };
    },
    async readSetup(reference) {
      const card = await selectSandboxCard(db, reference.replace(/^setup-/, "card-"));
      if (card === undefined) return null;
      return { status: "completed", setupId: card.setup_id, customerId: card.customer_id };
    },
    async listCards(customerId) {
      const rows = await selectSandboxCards(db, customerId);
      return rows.map(({ payment_method, last4, exp_month, exp_year }) => ({
        paymentMethod: payment_method,
        brand: "visa",
        last4,
        expMonth: exp_month,
        expYear: exp_year,
      }));
    },
    removeCard: (paymentMethod) => markSandboxCardRemoved(db, paymentMethod, clock.now()),
    async removeCustomer(customerId) {
      for (const { payment_method } of await selectSandboxCards(db, customerId)) {
        await markSandboxCardRemoved(db, payment_method, clock.now());
      }
    },
    prepareCharge: ({ intentId, amountCents, card }) =>
      insertCheckout(db, {
        reference: `charge-${intentId}`,
        order_id: intentId,
        payment_method: "stripe",
        amount_cents: amountCents,
        currency: "EUR",
        account: sandboxAccount,
        status: "open",
        success_path: "",
        cancel_path: "",
        created_at: clock.now(),
        expires_at: new Date(clock.now().getTime() + chargeLifeMs),
        card: card.paymentMethod,
      }),
    async confirmCharge({ reference }) {
      const charge = await selectCheckout(db, reference);
      const card = await selectSandboxCard(db, charge?.card ?? "");
      if (card === undefined || card.removed_at !== null) return "declined";
      const answer = answers[card.last4] ?? "carried out";
      if (answer === "carried out") await close(reference, "paid");
      return answer;
    },
    cancelCharge: (reference) => close(reference, "cancelled"),
  };
  const close = (reference: string, status: "paid" | "cancelled"): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await closeCheckout(trx, reference, status, clock.now());
    });
  return cards;
}
