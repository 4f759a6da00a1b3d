import { Trans, useLingui } from "@lingui/react/macro";
import { paymentMethodRoutes, type SavedCard } from "@palisade/contract/http/payment-methods";
import { IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { useNow } from "#src/lib/use-now.ts";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { IconButton } from "#src/ui/icon-button.tsx";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { cardsQuery, forecastQuery } from "../billing.queries.ts";
import { CardLogo } from "../logos.tsx";
import { brandName } from "./brands.ts";
import classes from "./cards.module.css";
import { expiresSoon, expiryText } from "./expiry.ts";

/** Reads what depends on cards again, also after a failure: the list may be older than the server's. */
function refreshCards(): void {
  void queryClient.invalidateQueries({ queryKey: cardsQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: forecastQuery.queryKey });
}

export function CardList({ cards }: { cards: readonly SavedCard[] }) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<SavedCard | null>(null);
  const choose = useMutation({
    mutationFn: ({ id }: SavedCard) =>
      call(paymentMethodRoutes.setDefaultCard, { params: { cardId: id } }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(cardsQuery.queryKey, data);
      toast("success", data.message);
    },
    onError: (error) => toastError(error, t`Failed to change the default card`),
    onSettled: refreshCards,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedCard) =>
      withStepUp(() => call(paymentMethodRoutes.removeCard, { params: { cardId: id } })),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(cardsQuery.queryKey, data);
      toast("success", data.message);
    },
    onError: (error) => toastError(error, t`Failed to remove the card`),
    onSettled: refreshCards,
  });
  const isBusy = choose.isPending || remove.isPending;
  return (
    <>
      <ul className={classes["list"]} aria-label={t`Saved cards`}>
        {cards.map((card) => (
          <CardRow
            key={card.id}
            card={card}
            busy={isBusy}
            onChoose={() => choose.mutate(card)}
            onRemove={() => setAsked(card)}
          />
        ))}
      </ul>
      <ConfirmDialog
        opened={asked !== null}
        title={t`Remove card`}
        action={t`Remove`}
        onClose={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) remove.mutate(asked);
          setAsked(null);
        }}
      >
        {asked === null ? null : <Consequences card={asked} cards={cards} />}
      </ConfirmDialog>
    </>
  );
}

interface CardRowProps {
  readonly card: SavedCard;
  readonly busy: boolean;
  readonly onChoose: () => void;
  readonly onRemove: () => void;
}

function CardRow({ card, busy, onChoose, onRemove }: CardRowProps) {
  const { t } = useLingui();
  const name = useCardName(card);
  return (
    <li>
      <CardLogo brand={card.brand} />
      <div className={classes["about"]}>
        <span className={classes["name"]}>
          {name}
          {card.is_default ? (
            <span className={classes["badge"]}>
              <Trans>Default</Trans>
            </span>
          ) : null}
        </span>
        <Expiry card={card} />
      </div>
      <div className={classes["rowActions"]}>
        {card.is_default || card.is_expired ? null : (
          <ActionButton
            variant="default"
            size="xs"
            aria-label={t`Make default: ${name}`}
            disabled={busy}
            onClick={onChoose}
          >
            <Trans>Make default</Trans>
          </ActionButton>
        )}
        <IconButton
          hint={t`Remove`}
          size={30}
          icon={<IconTrash size={16} stroke={1.6} />}
          label={t`Remove ${name}`}
          removes
          inactive={busy}
          onClick={onRemove}
        />
      </div>
    </li>
  );
}

/** `Visa •••• 4242` */
export function useCardName({ brand, last4 }: SavedCard): string {
  const { t } = useLingui();
  return `${brandName(brand) ?? t`Card`} •••• ${last4}`;
}

function Expiry({ card }: { card: SavedCard }) {
  const now = useNow();
  const end = expiryText(card);
  if (card.is_expired) {
    return (
      <p className={classes["expiry"]} data-tone="over">
        <Trans>Expired after {end}. Add a new card and remove this one.</Trans>
      </p>
    );
  }
  if (expiresSoon(card, now)) {
    return (
      <p className={classes["expiry"]} data-tone="soon">
        <Trans>Expires soon, after {end}. Add a new card in time.</Trans>
      </p>
    );
  }
  return (
    <p className={classes["expiry"]}>
      <Trans>Valid until the end of {end}</Trans>
    </p>
  );
}

function Consequences({ card, cards }: { card: SavedCard; cards: readonly SavedCard[] }) {
  const name = useCardName(card);
  return (
    <>
      <Trans>{name} can no longer be charged. The card provider deletes it, too.</Trans>
      {cards.length === 1 ? (
        <p className={classes["consequence"]}>
          <Trans>
            It is your only card: renewals are then paid from your balance alone, and the automatic
            top-up stops.
          </Trans>
        </p>
      ) : card.is_default ? (
        <p className={classes["consequence"]}>
          <Trans>It is the default: the card that you saved last becomes the new one.</Trans>
        </p>
      ) : null}
    </>
  );
}
