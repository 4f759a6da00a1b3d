import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconCircleCheck } from "@tabler/icons-react";
import { useRef, type RefObject } from "react";
import { percent } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./recharge.module.css";
import type { Recharge } from "./use-recharge.ts";

interface CouponFieldProps {
  readonly recharge: Recharge;
  readonly amountInput: RefObject<HTMLInputElement | null>;
}

export function CouponField({ recharge, amountInput }: CouponFieldProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const { quote, amount, sending, applying } = recharge;

  function apply() {
    recharge.apply();
    // Focus the missing field; the result of the check is shown beside the code.
    if (amount === null) amountInput.current?.focus();
    else input.current?.focus();
  }

  return (
    <div>
      <div className={classes["coupon"]}>
        <TextInput
          ref={input}
          label={t`Promo code (optional)`}
          name="promo_code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          disabled={sending}
          value={recharge.draft.coupon}
          error={recharge.couponError}
          onChange={({ currentTarget }) => recharge.typeCoupon(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (!quote && !applying) apply();
          }}
        />
        <Button
          variant="default"
          className={classes["apply"] ?? ""}
          loading={applying}
          disabled={sending || quote !== undefined}
          onClick={apply}
        >
          <Trans>Apply</Trans>
        </Button>
      </div>
      <output className={classes["applied"]}>
        {quote ? (
          <>
            <IconCircleCheck size={15} stroke={1.8} aria-hidden="true" />
            <span>
              <Trans>Promo code applied!</Trans>
            </span>
            <b>+{percent(locale, quote.percentage)}</b>
          </>
        ) : null}
      </output>
    </div>
  );
}
