import type {
  transactionMethods,
  transactionStatuses,
  transactionTypes,
} from "@palisade/contract/http/billing";
import type { documentKinds } from "@palisade/contract/http/invoices";
import { oneOf, searchOf, text, uuid, wholeNumber } from "#src/lib/search-params.ts";

/** Every value of `K`, checked by the compiler, so that the contract's schemas are not loaded here. */
type Each<K extends readonly string[]> = Readonly<Record<K[number], true>>;

const types: Each<typeof transactionTypes> = {
  top_up: true,
  promo_bonus: true,
  purchase: true,
  renewal: true,
  refund: true,
  dispute: true,
  adjustment: true,
};
const methods: Each<typeof transactionMethods> = {
  stripe: true,
  paypal: true,
  balance: true,
  promo: true,
  operator: true,
};
const statuses: Each<typeof transactionStatuses> = {
  completed: true,
  pending: true,
  review: true,
  cancelled: true,
};
const kinds: Each<typeof documentKinds> = { receipt: true, invoice: true, credit_note: true };

/** The search parameters of the billing page. Invalid values are left out. */
export const billingSearch = searchOf({
  page: wholeNumber(1, 1_000_000),
  type: oneOf(types),
  payment_method: oneOf(methods),
  status: oneOf(statuses),
  /** The first tab, which is not in the address, has the transactions. */
  tab: oneOf({ invoices: true }),
  kind: oneOf(kinds),
  year: wholeNumber(2000, 9999),
  /** Part of a document's number. */
  number: text(32),
  /** The document whose details are open. */
  invoice: uuid(),
  /** The top-up that the payment provider returned from. */
  intent: uuid(),
  /** The set-up of a card that the provider returned from. */
  card: uuid(),
  /** The user left the provider's page without paying, or without saving a card. */
  cancelled: wholeNumber(1, 1),
});

/** Parameters that only one of the page's tabs understands, or that each understands in its own way. */
export const tabParameters = [
  "page",
  "type",
  "payment_method",
  "status",
  "kind",
  "year",
  "number",
  "invoice",
] as const satisfies readonly (keyof BillingSearch)[];

export type BillingSearch = ReturnType<typeof billingSearch>;
