import { useLingui } from "@lingui/react/macro";
import type { PlanQuote } from "@palisade/contract/http/plan-changes";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { refreshBalance } from "#src/api/balance.ts";
import { hasCode, isTransient } from "#src/api/errors.ts";
import { createIdempotencyKeys } from "#src/api/idempotency.ts";
import { StepUpDeclined, withStepUp } from "#src/api/step-up.ts";
import { toastError } from "./toast-error.ts";
import { toast } from "./toasts.tsx";
import type { HeldQuote } from "./use-held-quote.ts";

const refusalMs = 3_000;

interface Confirmation {
  readonly held: HeldQuote;
  /** Sends the change; the headers make a repetition the same change. */
  readonly send: (
    quote: PlanQuote,
    headers: Record<string, string>,
  ) => Promise<{ readonly data: { readonly message: string } }>;
  /** Shown when the api gave no reason. */
  readonly failed: string;
  readonly onChanged: () => void;
}

/** Confirms a quoted change of plan, once, and shows its outcome. */
export function usePlanConfirmation({ held, send, failed, onChanged }: Confirmation) {
  const { t } = useLingui();
  const [keys] = useState(() => createIdempotencyKeys());
  const [refusal, setRefusal] = useState<string | null>(null);

  const mutation = useMutation({
    mutationFn: (quote: PlanQuote) => {
      const headers = { "idempotency-key": keys.begin([quote.plan.id, quote.id]) };
      return withStepUp(() => send(quote, headers));
    },
    onSuccess: async ({ data }) => {
      keys.settle();
      toast("success", data.message);
      onChanged();
      await refreshBalance();
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined) return;
      // Without an answer the same quote is sent again under the same key: it changes the plan once.
      const isOpen = isTransient(error) || hasCode(error, "idempotency_in_progress");
      if (!isOpen) {
        keys.settle();
        // A new quote says why: the missing sum, the limits, the price of now.
        held.ask();
      }
      if (!hasCode(error, "insufficient_funds")) return toastError(error, failed);
      setRefusal(t`Insufficient funds!`);
      setTimeout(() => setRefusal(null), refusalMs);
    },
  });

  return { confirm: mutation.mutate, isBusy: mutation.isPending, refusal };
}
