import { TextInput, UnstyledButton } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import type { RefObject } from "react";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./recharge.module.css";
import type { Recharge } from "./use-recharge.ts";

const quickChoices = [5, 10, 20, 50, 100];

interface AmountFieldProps {
  readonly recharge: Recharge;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}

export function AmountField({ recharge, inputRef }: AmountFieldProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { draft, maximum, sending } = recharge;
  return (
    <div>
      <TextInput
        ref={inputRef}
        classNames={{ input: classes["amount"] ?? "" }}
        label={t`Amount`}
        name="amount"
        inputMode="numeric"
        autoComplete="off"
        leftSection={<span className={classes["sign"]}>€</span>}
        disabled={sending}
        value={draft.amount}
        error={recharge.amountError}
        onChange={({ currentTarget }) => recharge.type(currentTarget.value)}
        onBlur={recharge.leaveAmount}
      />
      <div className={classes["quick"]} role="group" aria-label={t`Quick choices`}>
        {quickChoices.map((choice) => (
          <UnstyledButton
            key={choice}
            className={classes["choice"]}
            aria-pressed={draft.amount === String(choice)}
            disabled={choice > maximum || sending}
            onClick={() => recharge.type(String(choice))}
          >
            {euros(locale, choice * 100).replace(/[.,]00/, "")}
          </UnstyledButton>
        ))}
      </div>
    </div>
  );
}
