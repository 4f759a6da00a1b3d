import { ActionIcon } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { IconClock, IconSearchOff, IconX } from "@tabler/icons-react";
import { useEffect } from "react";
import { refreshBalance } from "#src/api/balance.ts";
import { statusOf } from "#src/api/errors.ts";
import { Banner } from "#src/ui/banner.tsx";
import { intentQuery } from "../billing.queries.ts";
import { rechargeDraft } from "../recharge/draft.ts";
import type { Return } from "../use-provider-return.ts";
import { Outcome, Unpaid } from "./outcome.tsx";
import { isFinal } from "./polling.ts";
import classes from "./return-panel.module.css";

interface ReturnPanelProps {
  readonly topUp: Return;
  /** Called when its state will not change any more. */
  readonly onFinal: () => void;
  readonly onDismiss: () => void;
}

/** Follows a top-up after the return from the payment provider and shows its result. */
export function ReturnPanel({ topUp, onFinal, onDismiss }: ReturnPanelProps) {
  const { t } = useLingui();
  const { data: intent, error } = useQuery(intentQuery(topUp));
  const isUnknown = statusOf(error) === 404;
  const status = intent?.status;

  useEffect(() => {
    if (isUnknown) return onFinal();
    if (status === undefined || !isFinal(status)) return;
    if (status === "completed") rechargeDraft.clear();
    void refreshBalance();
    onFinal();
  }, [status, isUnknown, onFinal]);

  const dismiss = (
    <ActionIcon variant="subtle" color="gray" size={26} aria-label={t`Dismiss`} onClick={onDismiss}>
      <IconX size={15} stroke={1.6} />
    </ActionIcon>
  );
  if (isUnknown) {
    return (
      <Banner
        tone="neutral"
        live="polite"
        icon={<IconSearchOff size={18} stroke={1.6} />}
        aside={dismiss}
      >
        <Trans>
          <strong>This top-up is not one of yours.</strong> Your balance is unchanged.
        </Trans>
      </Banner>
    );
  }
  if (intent && isFinal(intent.status)) {
    // A checkout that was closed because the user left it has expired for the provider.
    const isLeft = topUp.isCancelled && intent.status === "expired";
    const shown = isLeft ? { ...intent, status: "cancelled" as const } : intent;
    return <Outcome intent={shown} aside={dismiss} />;
  }
  if (intent && topUp.isCancelled) return <Unpaid intent={intent} aside={dismiss} />;
  return (
    <Banner tone="neutral" live="polite" icon={<IconClock size={18} stroke={1.6} />}>
      <strong>
        <Trans>Confirming your payment…</Trans>
      </strong>
      <br />
      <span className={classes["detail"]}>
        {intent ? (
          <Trans>
            The payment provider has not confirmed it yet. You can leave this page: the balance is
            credited as soon as it does.
          </Trans>
        ) : error ? (
          <Trans>
            The connection was lost. Your payment is not affected, and we keep checking.
          </Trans>
        ) : (
          <Trans>Asking the payment provider.</Trans>
        )}
      </span>
    </Banner>
  );
}
