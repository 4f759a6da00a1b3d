import { msg } from "@lingui/core/macro";
import type { Invoice } from "@palisade/contract/http/invoices";

/** Labels of the contract's values, for the table, its filters and the details. */

export const kindLabels = {
  receipt: msg`Receipt`,
  invoice: msg`Invoice`,
  credit_note: msg`Credit note`,
} satisfies Record<Invoice["kind"], unknown>;

export const documentMethodLabels = {
  stripe: msg`Card or bank`,
  paypal: msg`PayPal`,
  balance: msg`Account balance`,
} satisfies Record<Invoice["payment_method"], unknown>;

/** As the PDF names the day on which the money moved. */
export const supplyLabels = {
  receipt: msg`Date of payment`,
  invoice: msg`Date of supply`,
  credit_note: msg`Date of refund`,
} satisfies Record<Invoice["kind"], unknown>;
