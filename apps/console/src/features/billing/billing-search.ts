import type {
  transactionMethods,
  transactionStatuses,
  transactionTypes,
} from "@palisade/contract/http/billing";
import { oneOf, searchOf, uuid, wholeNumber } from "#src/lib/search-params.ts";

/** Each of `K`: the compiler sees to it, so that the contract's schemas need not be loaded here. */
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

/** What the address of the billing page holds; whatever does not fit is left out. */
export const billingSearch = searchOf({
  page: wholeNumber(1, 1_000_000),
  type: oneOf(types),
  payment_method: oneOf(methods),
  status: oneOf(statuses),
  /** The top-up a payment provider sends back from. */
  intent: uuid(),
  /** Beside it: the person turned back instead of paying. */
  cancelled: wholeNumber(1, 1),
});

export type BillingSearch = ReturnType<typeof billingSearch>;
