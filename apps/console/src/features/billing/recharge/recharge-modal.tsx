import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconAlertTriangle, IconLock } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import { errorText } from "#src/api/errors.ts";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { AmountField } from "./amount-field.tsx";
import { CouponField } from "./coupon-field.tsx";
import { MethodCards } from "./method-cards.tsx";
import { RechargeSummary } from "./recharge-summary.tsx";
import classes from "./recharge.module.css";
import { VatNote } from "./vat-note.tsx";
import { useRecharge } from "./use-recharge.ts";

interface RechargeModalProps {
  /** The initial amount, in whole euros. */
  readonly suggested: number | undefined;
  readonly onClose: () => void;
}

export function RechargeModal({ suggested, onClose }: RechargeModalProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const formId = useId();
  const amountInput = useRef<HTMLInputElement>(null);
  const payButton = useRef<HTMLButtonElement>(null);
  const recharge = useRecharge(suggested);
  const { amount, sending, applying, failure } = recharge;
  const sum = amount === null ? null : euros(locale, amount * 100);

  // The button was disabled while sending and lost the focus.
  useEffect(() => {
    if (failure !== null) payButton.current?.focus();
  }, [failure]);

  return (
    <Dialog
      opened
      title={t`Recharge balance`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            ref={payButton}
            type="submit"
            form={formId}
            loading={sending}
            disabled={recharge.method === null || applying}
            leftSection={<IconLock size={15} stroke={1.8} />}
          >
            {sum === null ? <Trans>Pay</Trans> : <Trans>Pay {sum}</Trans>}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={classes["form"]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!sending && !applying && !recharge.submit()) amountInput.current?.focus();
        }}
      >
        <AmountField recharge={recharge} inputRef={amountInput} />
        <MethodCards recharge={recharge} />
        <CouponField recharge={recharge} amountInput={amountInput} />
        <RechargeSummary amount={amount} quote={recharge.quote} />
        <VatNote vat={recharge.options.data?.vat} />
        {failure === null ? null : (
          <Banner
            tone="danger"
            live="assertive"
            icon={<IconAlertTriangle size={18} stroke={1.6} />}
          >
            <strong>{errorText(failure, t`Error`)}</strong>
            <br />
            <Trans>Nothing was charged, and your input is kept. Please try again.</Trans>
          </Banner>
        )}
      </form>
    </Dialog>
  );
}
