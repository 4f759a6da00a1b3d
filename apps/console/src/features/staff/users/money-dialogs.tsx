import { NativeSelect, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { adjustBalance, refundTopUp } from "@palisade/contract/http/staff-users";
import { adjustmentCentsMax } from "@palisade/contract/http/staff-user-shapes";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { StaffActionDialog } from "../staff-action-dialog.tsx";
import { readEuros } from "./euros.ts";

interface AmountFieldProps {
  readonly value: string;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
}

function AmountField({ value, isWrong, onChange }: AmountFieldProps) {
  const { t } = useLingui();
  return (
    <TextInput
      label={t`Amount in euros`}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      error={isWrong ? t`Enter an amount between 0.01 and 10,000.00` : null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** An amount as typed; it shows an error once it was submitted wrong. */
function useAmount(initial: string, centsMax: number) {
  const [typed, type] = useState(initial);
  const [isTried, setTried] = useState(false);
  const cents = readEuros(typed);
  const isRight = cents !== null && cents > 0 && cents <= centsMax;
  return {
    cents: cents ?? 0,
    isReady: () => {
      setTried(true);
      return isRight;
    },
    field: { value: typed, isWrong: isTried && !isRight, onChange: type },
  };
}

interface AdjustDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
}

/** Adds cash to a balance or takes it. Above a limit, a second person confirms it. */
export function AdjustDialog({ userId, onClose }: AdjustDialogProps) {
  const { t } = useLingui();
  const [direction, setDirection] = useState("add");
  const amount = useAmount("", adjustmentCentsMax);
  // One order, however often the button is pressed.
  const [key] = useState(() => crypto.randomUUID());
  const cents = direction === "add" ? amount.cents : -amount.cents;
  return (
    <StaffActionDialog
      title={t`Adjust the balance`}
      action={direction === "add" ? t`Add` : t`Take`}
      danger={direction === "take"}
      isReady={amount.isReady}
      run={async (reason) => {
        const headers = { "idempotency-key": `${key}:${cents}` };
        const input = { params: { userId }, body: { cents, reason }, headers };
        return (await call(adjustBalance, input)).data.message;
      }}
      onClose={onClose}
    >
      <NativeSelect
        label={t`Change`}
        value={direction}
        onChange={(event) => setDirection(event.currentTarget.value)}
        data={[
          { value: "add", label: t`Add to the balance` },
          { value: "take", label: t`Take from the balance` },
        ]}
      />
      <AmountField {...amount.field} />
      <p>
        <Trans>
          The customer sees the adjustment in their transactions. Cash is taken only as far as there
          is some. A large sum waits for a second person.
        </Trans>
      </p>
    </StaffActionDialog>
  );
}

interface RefundDialogProps {
  readonly userId: string;
  readonly intentId: string;
  /** The top-up brought so much. */
  readonly cents: number;
  readonly onClose: () => void;
}

/** Sends a top-up, or a part of it, back to where it came from. */
export function RefundDialog({ userId, intentId, cents: paid, onClose }: RefundDialogProps) {
  const { t } = useLingui();
  const amount = useAmount((paid / 100).toFixed(2), paid);
  const [key] = useState(() => crypto.randomUUID());
  const { cents } = amount;
  return (
    <StaffActionDialog
      title={t`Refund a top-up`}
      action={t`Refund`}
      danger
      isReady={amount.isReady}
      run={async (reason) => {
        const headers = { "idempotency-key": `${key}:${cents}` };
        const body = { intent_id: intentId, cents, reason };
        return (await call(refundTopUp, { params: { userId }, body, headers })).data.message;
      }}
      onClose={onClose}
    >
      <AmountField {...amount.field} />
      <p>
        <Trans>
          The cash leaves the balance at once, and the payment provider sends it back. Bonus stays.
        </Trans>
      </p>
    </StaffActionDialog>
  );
}
