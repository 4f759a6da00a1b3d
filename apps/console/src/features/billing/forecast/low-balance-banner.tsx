import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCurrentUser } from "#src/api/current-user.ts";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { wholeEuros } from "#src/lib/whole-euros.ts";
import { Banner } from "#src/ui/banner.tsx";
import { Day } from "#src/ui/time.tsx";
import { forecastQuery } from "../billing.queries.ts";
import classes from "./forecast.module.css";
import { shortageOf } from "./shortage.ts";

/** Warns when a next renewal is not covered, and offers a top-up of what is missing. */
export function LowBalanceBanner() {
  const { locale } = useLocale();
  const user = useCurrentUser();
  const forecast = useQuery(forecastQuery).data;
  if (user === undefined || forecast === undefined) return null;
  const shortage = shortageOf(forecast, user.balance_cents);
  if (shortage === null || shortage.missingCents === 0) return null;
  const { renewal, missingCents } = shortage;
  const { name } = renewal;
  const missing = euros(locale, missingCents);
  return (
    <Banner tone="attack" live="polite" icon={<IconAlertTriangle size={18} stroke={1.6} />}>
      <strong>
        <Trans>Your balance is low</Trans>
      </strong>
      <p className={classes["detail"]}>
        <Trans>
          It does not cover the renewal of {name} on <Day at={renewal.charge_at} />. {missing} are
          missing for the next renewals.
        </Trans>
      </p>
      <Button
        size="xs"
        className={classes["action"] ?? ""}
        onClick={() => openModal("recharge balance", { amount: wholeEuros(missingCents) })}
      >
        <Trans>Top up</Trans>
      </Button>
    </Banner>
  );
}
