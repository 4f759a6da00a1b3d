import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { paths } from "#src/lib/paths.ts";
import { billingSearch, type BillingSearch } from "./billing-search.ts";

/** The top-up or card that the address names when the user returns from the payment provider. */
export interface Return {
  readonly from: "top-up" | "card";
  readonly id: string;
  /** The user left the provider's page by its way back. */
  readonly isCancelled: boolean;
}

/** The return from the provider. It stays on the page after it is removed from the address. */
export function useProviderReturn(search: BillingSearch) {
  const navigate = useNavigate();
  const [returned, setReturned] = useState<Return | null>(null);
  const named = returnIn(search);
  if (named !== null && named.id !== returned?.id) setReturned(named);

  const clearAddress = useCallback(
    () =>
      void navigate({
        from: paths.billing,
        to: paths.billing,
        // PayPal adds parameters of its own, which go as well.
        search: (before) => ({
          ...billingSearch(before),
          intent: undefined,
          card: undefined,
          cancelled: undefined,
        }),
        replace: true,
      }),
    [navigate],
  );
  return {
    returned,
    clearAddress,
    dismiss: () => {
      setReturned(null);
      clearAddress();
    },
  };
}

function returnIn({ intent, card, cancelled }: BillingSearch): Return | null {
  const isCancelled = cancelled !== undefined;
  if (intent !== undefined) return { from: "top-up", id: intent, isCancelled };
  if (card !== undefined) return { from: "card", id: card, isCancelled };
  return null;
}
