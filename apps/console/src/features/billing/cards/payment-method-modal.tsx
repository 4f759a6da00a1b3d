import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { CardList } from "@palisade/contract/http/payment-methods";
import {
  IconAlertTriangle,
  IconExternalLink,
  IconLock,
  IconRefresh,
  IconShieldCheck,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { errorText } from "#src/api/errors.ts";
import { openModal } from "#src/lib/modals.ts";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { cardsQuery } from "../billing.queries.ts";
import { SandboxBadge } from "../sandbox-badge.tsx";
import classes from "./cards.module.css";
import { useCardSetup } from "./use-card-setup.ts";

/** Cards are typed in on the provider's page only. Without a provider the modal says so. */
export function PaymentMethodModal({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const query = useQuery(cardsQuery);
  const setup = useCardSetup();
  const continueButton = useRef<HTMLButtonElement>(null);
  const isOffered = query.data !== undefined && query.data.mode !== "unavailable";
  const { error, isPending, isSuccess } = setup;

  // The button was disabled while sending and lost the focus.
  useEffect(() => {
    if (error !== null) continueButton.current?.focus();
  }, [error]);

  return (
    <Dialog
      opened
      title={t`Add payment method`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {isOffered ? <Trans>Cancel</Trans> : <Trans>Close</Trans>}
          </Button>
          {isOffered ? (
            <Button
              ref={continueButton}
              loading={isPending || isSuccess}
              rightSection={<IconExternalLink size={15} stroke={1.8} />}
              onClick={() => setup.mutate(null)}
            >
              {query.data?.mode === "live" ? (
                <Trans>Continue to Stripe</Trans>
              ) : (
                <Trans>Save a test card</Trans>
              )}
            </Button>
          ) : null}
          {query.data?.mode === "unavailable" ? (
            <Button onClick={() => openModal("recharge balance")}>
              <Trans>Recharge balance</Trans>
            </Button>
          ) : null}
        </>
      }
    >
      <QueryBoundary
        compact
        query={query}
        errorTitle={t`Error fetching payment methods`}
        skeleton={<Skeleton height={84} radius={8} />}
      >
        {({ mode }) => <Explanation mode={mode} />}
      </QueryBoundary>
      {error === null ? null : (
        <div className={classes["failure"]}>
          <Banner
            tone="danger"
            live="assertive"
            icon={<IconAlertTriangle size={18} stroke={1.6} />}
          >
            <strong>{errorText(error, t`Error`)}</strong>
            <br />
            <Trans>No card was saved. Please try again.</Trans>
          </Banner>
        </div>
      )}
    </Dialog>
  );
}

function Explanation({ mode }: Pick<CardList, "mode">) {
  if (mode === "unavailable") {
    return (
      <>
        <p>
          <Trans>
            Cards cannot be saved because this installation has no card provider. Only a card
            provider stores card numbers; we never do.
          </Trans>
        </p>
        <p className={classes["consequence"]}>
          <Trans>Plans are paid from your balance, which you can recharge at any time.</Trans>
        </p>
      </>
    );
  }
  return (
    <ul className={classes["points"]}>
      <li>
        <IconLock size={18} stroke={1.6} aria-hidden="true" />
        {mode === "live" ? (
          <span>
            <Trans>
              You type your card on the page of Stripe. We see its brand, its last four digits and
              its expiry, never the number.
            </Trans>
          </span>
        ) : (
          <span>
            <Trans>A test card is saved. No real money moves.</Trans> <SandboxBadge />
          </span>
        )}
      </li>
      <li>
        <IconRefresh size={18} stroke={1.6} aria-hidden="true" />
        <span>
          <Trans>
            The default card pays renewals of your plans, and the automatic top-up if you switch it
            on. Nothing is charged now.
          </Trans>
        </span>
      </li>
      <li>
        <IconShieldCheck size={18} stroke={1.6} aria-hidden="true" />
        <span>
          <Trans>
            Your bank may ask you to confirm a later charge. You then get a mail with a link, and no
            money moves before.
          </Trans>
        </span>
      </li>
    </ul>
  );
}
