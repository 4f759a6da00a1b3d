import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PaymentOptions } from "@palisade/contract/http/billing";
import { errorText } from "#src/api/errors.ts";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { ProviderLogo } from "../logos.tsx";
import { SandboxBadge } from "../sandbox-badge.tsx";
import classes from "./recharge.module.css";
import type { Recharge } from "./use-recharge.ts";

type Method = PaymentOptions["methods"][number];

export function MethodCards({ recharge }: { recharge: Recharge }) {
  return (
    <fieldset className={classes["methods"]} disabled={recharge.sending}>
      <legend>
        <Trans>Payment method</Trans>
      </legend>
      <Cards recharge={recharge} />
    </fieldset>
  );
}

function Cards({ recharge }: { recharge: Recharge }) {
  const { t } = useLingui();
  const { options, method, sending } = recharge;
  if (options.isPending) {
    return (
      <LoadingRegion className={classes["cards"]}>
        <Skeleton height={62} radius={8} />
        <Skeleton height={62} radius={8} />
      </LoadingRegion>
    );
  }
  if (!options.data) {
    return (
      <div className={classes["missing"]} role="alert">
        <p>{errorText(options.error, t`The payment methods could not be loaded.`)}</p>
        <Button variant="default" size="xs" onClick={() => void options.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    );
  }
  const { methods } = options.data;
  const isSandbox = methods.some((m) => m.payment_method === method && m.mode === "sandbox");
  return (
    <>
      <div className={classes["cards"]}>
        {methods.map((offered) => (
          <ChoiceCard
            key={offered.payment_method}
            name="payment_method"
            value={offered.payment_method}
            checked={offered.payment_method === method}
            disabled={offered.mode === "unavailable" || sending}
            onChoose={() => recharge.choose(offered.payment_method)}
          >
            <MethodText method={offered} />
          </ChoiceCard>
        ))}
      </div>
      {isSandbox ? (
        <p className={classes["hint"]}>
          <Trans>Sandbox: you are sent to a test checkout. No real money moves.</Trans>
        </p>
      ) : null}
      {methods.every(({ mode }) => mode === "unavailable") ? (
        <p className={classes["hint"]} role="alert">
          <Trans>No payment provider is set up on this installation, so nothing can be paid.</Trans>
        </p>
      ) : null}
    </>
  );
}

function MethodText({ method: { payment_method, mode } }: { method: Method }) {
  const { t } = useLingui();
  const by = payment_method === "stripe" ? "Stripe" : t`Wallet`;
  return (
    <span className={classes["method"]}>
      <ProviderLogo method={payment_method} />
      <span className={classes["words"]}>
        <span className={classes["name"]}>
          {payment_method === "stripe" ? <Trans>Card or bank</Trans> : "PayPal"}
        </span>
        <span className={classes["by"]}>
          {mode === "unavailable" ? t`Not set up on this installation` : by}
          {mode === "sandbox" ? <SandboxBadge /> : null}
        </span>
      </span>
    </span>
  );
}
