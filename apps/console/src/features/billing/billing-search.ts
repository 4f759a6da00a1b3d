import {
  transactionMethods,
  transactionStatuses,
  transactionTypes,
} from "@palisade/contract/http/billing";
import { z } from "zod";

/** What the address of the billing page holds; whatever does not fit is left out. */
export const billingSearch = z.object({
  page: z.int().min(1).max(1_000_000).optional().catch(undefined),
  type: z.enum(transactionTypes).optional().catch(undefined),
  payment_method: z.enum(transactionMethods).optional().catch(undefined),
  status: z.enum(transactionStatuses).optional().catch(undefined),
  /** The top-up a payment provider sends back from. */
  intent: z.uuid().optional().catch(undefined),
  /** Beside it: the person turned back instead of paying. */
  cancelled: z.literal(1).optional().catch(undefined),
});

export type BillingSearch = z.infer<typeof billingSearch>;
