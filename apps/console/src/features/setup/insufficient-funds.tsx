import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import { IconWallet } from "@tabler/icons-react";
import { useId } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./setup.module.css";

/** Name of the button, which is focused when Next is pressed without enough balance. */
export const rechargeName = "recharge";

/** The missing amount, and the button that tops up the balance. */
export function InsufficientFunds({ plan }: { plan: PricingPlan }) {
  const id = useId();
  const { locale } = useLocale();
  const balanceCents = useCurrentUser()?.balance_cents ?? 0;
  const missingCents = Math.max(0, plan.total_cents - balanceCents);
  const missing = euros(locale, missingCents);
  const price = euros(locale, plan.total_cents);
  const { name } = plan;
  return (
    <div className={`${classes["banner"]} ${classes["below"]}`}>
      <Banner
        tone="attack"
        live="polite"
        icon={<IconWallet size={17} stroke={1.6} aria-hidden="true" />}
        aside={
          <Button
            size="xs"
            name={rechargeName}
            aria-describedby={id}
            onClick={() =>
              openModal("recharge balance", { amount: Math.max(1, Math.ceil(missingCents / 100)) })
            }
          >
            <Trans>Recharge balance</Trans>
          </Button>
        }
      >
        <strong>
          <Trans>Insufficient funds</Trans>
        </strong>
        <br />
        <span id={id}>
          <Trans>
            {name} costs {price} a month. You need {missing} more. Your entries are kept.
          </Trans>
        </span>
      </Banner>
    </div>
  );
}
