import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { openModal } from "#src/lib/modals.ts";
import { Dialog } from "#src/ui/dialog.tsx";
import classes from "./billing.module.css";
import { paymentOptionsQuery } from "./billing.queries.ts";

/** Cards are stored only by the card provider. Without one the modal explains what to do instead. */
export function PaymentMethodModal({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const { data } = useQuery(paymentOptionsQuery);
  const hasProvider = data?.methods.some(
    ({ payment_method: method, mode }) => method === "stripe" && mode === "live",
  );
  return (
    <Dialog
      opened
      title={t`Add payment method`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          <Button onClick={() => openModal("recharge balance")}>
            <Trans>Recharge balance</Trans>
          </Button>
        </>
      }
    >
      <p>
        {hasProvider ? (
          <Trans>
            Cards cannot be saved yet. The card provider asks for your card at each payment.
          </Trans>
        ) : (
          <Trans>
            Cards cannot be saved because this installation has no card provider. Only a card
            provider stores card numbers; we never do.
          </Trans>
        )}
      </p>
      <p className={classes["paragraph"]}>
        <Trans>Plans are paid from your balance, which you can recharge at any time.</Trans>
      </p>
    </Dialog>
  );
}
