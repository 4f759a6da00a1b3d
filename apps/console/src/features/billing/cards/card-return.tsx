import { ActionIcon, Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconSearchOff,
  IconX,
} from "@tabler/icons-react";
import { useEffect, type ReactNode } from "react";
import { queryClient } from "#src/api/query-client.ts";
import { statusOf } from "#src/api/errors.ts";
import { openModal } from "#src/lib/modals.ts";
import { Banner } from "#src/ui/banner.tsx";
import { cardSetupQuery, forecastQuery } from "../billing.queries.ts";
import type { Return } from "../use-provider-return.ts";
import classes from "../top-up-return/return-panel.module.css";

interface CardReturnProps {
  readonly setup: Return;
  /** Called when its state will not change any more. */
  readonly onFinal: () => void;
  readonly onDismiss: () => void;
}

/** Follows a card's set-up after the return from the provider and shows its result. */
export function CardReturn({ setup, onFinal, onDismiss }: CardReturnProps) {
  const { t } = useLingui();
  const { data, error } = useQuery({ ...cardSetupQuery(setup.id), enabled: !setup.isCancelled });
  const isUnknown = statusOf(error) === 404;
  const status = data?.status;

  useEffect(() => {
    const isOver = setup.isCancelled || isUnknown || (status !== undefined && status !== "open");
    if (!isOver) return;
    void queryClient.invalidateQueries({ queryKey: forecastQuery.queryKey });
    onFinal();
  }, [setup.isCancelled, status, isUnknown, onFinal]);

  const aside = (
    <ActionIcon variant="subtle" color="gray" size={26} aria-label={t`Dismiss`} onClick={onDismiss}>
      <IconX size={15} stroke={1.6} />
    </ActionIcon>
  );
  if (setup.isCancelled) {
    return (
      <NotSaved icon={<IconArrowBackUp size={18} stroke={1.6} />} aside={aside}>
        <Trans>You came back without saving a card</Trans>
      </NotSaved>
    );
  }
  if (isUnknown) {
    return (
      <Banner
        tone="neutral"
        live="polite"
        icon={<IconSearchOff size={18} stroke={1.6} />}
        aside={aside}
      >
        <strong>
          <Trans>This card is not one of yours.</Trans>
        </strong>
      </Banner>
    );
  }
  if (status === "completed") {
    return (
      <Banner
        tone="protected"
        live="polite"
        icon={<IconCircleCheck size={18} stroke={1.6} />}
        aside={aside}
      >
        <strong>
          <Trans>Card saved</Trans>
        </strong>
        <p className={classes["detail"]}>
          <Trans>Renewals and automatic top-ups charge your default card.</Trans>
        </p>
      </Banner>
    );
  }
  if (status === "ended") {
    return (
      <NotSaved icon={<IconCircleX size={18} stroke={1.6} />} aside={aside}>
        <Trans>The card was not saved</Trans>
      </NotSaved>
    );
  }
  return (
    <Banner tone="neutral" live="polite" icon={<IconClock size={18} stroke={1.6} />}>
      <strong>
        <Trans>Saving your card…</Trans>
      </strong>
      <p className={classes["detail"]}>
        {error === null ? (
          <Trans>
            The card provider has not confirmed it yet. You can leave this page: the card appears as
            soon as it does.
          </Trans>
        ) : (
          <Trans>The connection was lost. Your card is not affected, and we keep checking.</Trans>
        )}
      </p>
    </Banner>
  );
}

interface NotSavedProps {
  readonly icon: ReactNode;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}

function NotSaved({ icon, aside, children }: NotSavedProps) {
  return (
    <Banner tone="neutral" live="polite" icon={icon} aside={aside}>
      <strong>{children}</strong>
      <p className={classes["detail"]}>
        <Trans>Nothing was charged and nothing was saved.</Trans>
      </p>
      <Button
        variant="default"
        size="xs"
        className={classes["action"] ?? ""}
        onClick={() => openModal("add payment method")}
      >
        <Trans>Try again</Trans>
      </Button>
    </Banner>
  );
}
