import type { Stripe } from "stripe";
import {
  refuse,
  type BalanceTransaction,
  type Charge,
  type Dispute,
  type Payment,
  type Refund,
} from "./objects.ts";

interface ReversalsDeps {
  readonly charges: ReadonlyMap<string, Charge>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  readonly seconds: () => number;
  readonly newId: (prefix: string) => string;
  readonly move: (
    type: BalanceTransaction["type"],
    category: string,
    money: { source: string; cents: number; currency: string },
  ) => BalanceTransaction;
  readonly emit: (type: Stripe.Event.Type, object: object) => void;
}

/** Money that goes back: refunds by the account, disputes by the payer. */
export function createReversals(deps: ReversalsDeps) {
  const { charges, refunds, disputes, seconds, newId, move, emit } = deps;

  const chargeOf = (payment: Payment): Charge => {
    const charge = charges.get(payment.latest_charge ?? "");
    if (charge === undefined) throw refuse(`${payment.id} has no successful charge`);
    return charge;
  };

  function withdraw(opened: Dispute): void {
    opened.status = "needs_response";
    const charge = charges.get(opened.charge);
    if (charge !== undefined) charge.disputed = true;
    const { id: source, amount, currency } = opened;
    opened.balance_transactions.push(
      move("adjustment", "dispute", { source, cents: -amount, currency }),
    );
    emit("charge.dispute.funds_withdrawn", opened);
  }

  return {
    refund(
      payment: Payment,
      cents: number = payment.amount,
      metadata: Record<string, string> = {},
    ): Refund {
      const charge = chargeOf(payment);
      if (charge.disputed) {
        throw refuse("This charge has been charged back.", { code: "charge_disputed" });
      }
      if (charge.amount_refunded + cents > charge.amount) {
        throw refuse(`Charge ${charge.id} has already been refunded.`, {
          code: "charge_already_refunded",
        });
      }
      const made: Refund = {
        id: newId("re"),
        object: "refund",
        amount: cents,
        charge: charge.id,
        created: seconds(),
        currency: payment.currency,
        metadata,
        payment_intent: payment.id,
        status: "succeeded",
      };
      refunds.set(made.id, made);
      move("refund", "refund", { source: made.id, cents: -cents, currency: made.currency });
      charge.amount_refunded += cents;
      charge.refunded = charge.amount_refunded === charge.amount;
      emit("refund.created", made);
      emit("charge.refunded", charge);
      return made;
    },

    /** The payer's bank sends a refund back. */
    failRefund(made: Refund): void {
      made.status = "failed";
      const charge = charges.get(made.charge);
      if (charge !== undefined) charge.amount_refunded -= made.amount;
      const { id: source, amount: cents, currency } = made;
      move("refund_failure", "refund_failure", { source, cents, currency });
      emit("refund.failed", made);
    },

    /** The payer disputes a payment. An inquiry takes nothing yet. */
    dispute(payment: Payment, kind: "dispute" | "inquiry" = "dispute"): Dispute {
      const charge = chargeOf(payment);
      const opened: Dispute = {
        id: newId("du"),
        object: "dispute",
        amount: payment.amount,
        balance_transactions: [],
        charge: charge.id,
        created: seconds(),
        currency: payment.currency,
        is_charge_refundable: kind === "inquiry",
        livemode: false,
        metadata: {},
        payment_intent: payment.id,
        reason: "fraudulent",
        status: kind === "inquiry" ? "warning_needs_response" : "needs_response",
      };
      disputes.set(opened.id, opened);
      emit("charge.dispute.created", opened);
      if (kind === "dispute") withdraw(opened);
      return opened;
    },

    withdraw,

    closeDispute(opened: Dispute, status: "won" | "lost" | "warning_closed"): void {
      opened.status = status;
      if (status === "won") {
        const { id: source, amount: cents, currency } = opened;
        opened.balance_transactions.push(
          move("adjustment", "dispute_reversal", { source, cents, currency }),
        );
        emit("charge.dispute.funds_reinstated", opened);
      }
      emit("charge.dispute.closed", opened);
    },
  };
}
