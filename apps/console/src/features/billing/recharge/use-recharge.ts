import { useLingui } from "@lingui/react/macro";
import {
  billingRoutes,
  topUpEuros,
  type PaymentMethod,
  type PaymentOptions,
  type PromoQuote,
} from "@palisade/contract/http/billing";
import { renderText } from "@palisade/contract/texts/render";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { paymentOptionsQuery } from "../billing.queries.ts";
import { amountProblem, nextAmount } from "./amount.ts";
import { rechargeDraft, type RechargeDraft } from "./draft.ts";
import { useCheckout } from "./use-checkout.ts";

export type Recharge = ReturnType<typeof useRecharge>;

/** State of the modal: the typed values, the checked promo code and the checkout. */
export function useRecharge(suggested: number | undefined) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const options = useQuery(paymentOptionsQuery);
  const [draft, setDraft] = useState(() => startingDraft(suggested));
  const [showsProblem, setShowsProblem] = useState(false);
  const [missingForCode, setMissingForCode] = useState<"amount" | "code" | null>(null);
  const checkout = useCheckout();
  const promo = useMutation({
    mutationFn: async (asked: { code: string; amount: number }) =>
      (await call(billingRoutes.validatePromoCode, { body: asked })).data,
  });
  useEffect(() => rechargeDraft.store(draft), [draft]);

  const maximum = options.data?.maximum ?? topUpEuros.max;
  const problem = amountProblem(draft.amount, maximum);
  const amount = problem === null ? Number(draft.amount) : null;
  const code = draft.coupon.trim();
  const method = usableMethod(options.data, draft.method);

  /** Clears earlier results, which were about other values. */
  function edit(change: Partial<RechargeDraft>) {
    promo.reset();
    checkout.reset();
    setMissingForCode(null);
    setDraft({ ...draft, ...change });
  }

  function apply() {
    if (amount === null) setMissingForCode("amount");
    else if (code === "") setMissingForCode("code");
    else promo.mutate({ code, amount });
  }

  /** @returns false without a valid amount: its field then needs the focus */
  function submit(): boolean {
    setShowsProblem(true);
    if (amount === null) return false;
    if (method === null) return true;
    const send = (quote?: PromoQuote) =>
      checkout.mutate({ method, amount, promoCode: quote?.code });
    if (code === "") send();
    else if (promo.data) send(promo.data);
    // A code that was typed but not applied is checked first, so that an invalid one stops the payment.
    else promo.mutate({ code, amount }, { onSuccess: send });
    return true;
  }

  const problemTexts = {
    minimum: renderText(locale, "amount.min"),
    maximum:
      maximum === topUpEuros.max
        ? renderText(locale, "amount.max")
        : t`You can top up ${maximum} € more today`,
  };
  const refused = checkout.error;
  const amountRefusal = hasCode(refused, "daily_limit")
    ? errorText(refused, t`Error`)
    : fieldIssues(refused)["amount"];
  const couponRefusal = hasCode(refused, "promo_invalid") ? refused : promo.error;
  const requests = {
    amount: t`Enter valid amount first`,
    code: renderText(locale, "promo_code.required"),
  };

  return {
    options,
    draft,
    method,
    /** Whole euros, or null while there is nothing valid. */
    amount,
    maximum,
    quote: promo.data,
    applying: promo.isPending,
    sending: checkout.isPending || checkout.isSuccess,
    amountError: problem !== null && showsProblem ? problemTexts[problem] : amountRefusal,
    couponError:
      missingForCode === null
        ? couponRefusal && errorText(couponRefusal, renderText(locale, "promo_code.invalid"))
        : requests[missingForCode],
    /** An error that belongs to no field. */
    failure: amountRefusal === undefined && couponRefusal !== refused ? refused : null,
    type: (typed: string) => edit({ amount: nextAmount(draft.amount, typed) }),
    leaveAmount: () => setShowsProblem(showsProblem || draft.amount !== ""),
    typeCoupon: (coupon: string) => edit({ coupon }),
    choose: (chosen: PaymentMethod) => {
      checkout.reset();
      setDraft({ ...draft, method: chosen });
    },
    apply,
    submit,
  };
}

function startingDraft(suggested: number | undefined): RechargeDraft {
  const draft = rechargeDraft.read();
  return suggested === undefined ? draft : { ...draft, amount: String(Math.ceil(suggested)) };
}

/** The chosen provider if it is available, else the first available one. */
function usableMethod(
  options: PaymentOptions | undefined,
  chosen: PaymentMethod | null,
): PaymentMethod | null {
  const usable = (options?.methods ?? []).filter(({ mode }) => mode !== "unavailable");
  const found = usable.find(({ payment_method }) => payment_method === chosen) ?? usable[0];
  return found?.payment_method ?? null;
}
