import { Trans } from "@lingui/react/macro";
import type { PromoQuote } from "@palisade/contract/http/billing";
import { euros, signedEuros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./recharge.module.css";

interface RechargeSummaryProps {
  /** Whole euros; null while none is valid. */
  readonly amount: number | null;
  readonly quote: PromoQuote | undefined;
}

export function RechargeSummary({ amount, quote }: RechargeSummaryProps) {
  const { locale } = useLocale();
  const paid = (amount ?? 0) * 100;
  const bonus = quote?.bonus_cents ?? 0;
  return (
    <dl className={classes["summary"]}>
      <div>
        <dt>
          <Trans>You pay</Trans>
        </dt>
        <dd>{euros(locale, paid)}</dd>
      </div>
      <div data-bonus={bonus > 0 || undefined}>
        <dt>
          <Trans>Bonus</Trans>
        </dt>
        <dd>{bonus > 0 ? signedEuros(locale, bonus) : euros(locale, 0)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Tax 0%</Trans>
        </dt>
        <dd>{euros(locale, 0)}</dd>
      </div>
      <div className={classes["total"]}>
        <dt>
          <Trans>Credited</Trans>
        </dt>
        <dd aria-live="polite">{euros(locale, paid + bonus)}</dd>
      </div>
    </dl>
  );
}
