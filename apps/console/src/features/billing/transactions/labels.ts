import { msg } from "@lingui/core/macro";
import type { Transaction } from "@palisade/contract/http/billing";
import type { Tone } from "#src/ui/status.tsx";

/** Labels of the contract's values, for the table and its filters. */

export const typeLabels = {
  top_up: msg`Top-up`,
  promo_bonus: msg`Promo bonus`,
  purchase: msg`Purchase`,
  renewal: msg`Renewal`,
  refund: msg`Refund`,
  dispute: msg`Dispute`,
  adjustment: msg`Adjustment`,
} satisfies Record<Transaction["type"], unknown>;

export const methodLabels = {
  stripe: msg`Card or bank`,
  paypal: msg`PayPal`,
  balance: msg`Account balance`,
  promo: msg`Promo code`,
  operator: msg`Operator`,
} satisfies Record<Transaction["payment_method"], unknown>;

export const statusLabels = {
  completed: msg`Completed`,
  pending: msg`Pending`,
  review: msg`In review`,
  cancelled: msg`Cancelled`,
} satisfies Record<Transaction["status"], unknown>;

export const statusTones: Record<Transaction["status"], Tone> = {
  completed: "protected",
  pending: "idle",
  review: "danger",
  cancelled: "idle",
};
