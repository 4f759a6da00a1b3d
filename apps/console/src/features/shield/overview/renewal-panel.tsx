import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import type { ReactNode } from "react";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { Status, type Tone } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import classes from "./overview.module.css";
import { renewalOutlook, topUpEuros, type RenewalOutlook } from "./renewal-outlook.ts";
import { RenewalToggles } from "./renewal-toggles.tsx";

interface RenewalPanelProps {
  readonly shield: Server;
  readonly overview: ServerOverview;
}

/** The next month's price, whether it is covered, and the renewal switches. */
export function RenewalPanel({ shield, overview }: RenewalPanelProps) {
  const outlook = renewalOutlook(overview);
  return (
    <Panel title={<Trans>Renewal</Trans>} aside={<Outlook outlook={outlook} />}>
      <div className={classes["renewal"]}>
        <div className={classes["forecast"]}>
          <Price overview={overview} />
          <Forecast outlook={outlook} shield={shield} overview={overview} />
        </div>
        <RenewalToggles shield={shield} overview={overview} />
      </div>
    </Panel>
  );
}

function Price({ overview }: { overview: ServerOverview }) {
  const { locale } = useLocale();
  const plan = overview.pricing_plan.name;
  return (
    <p className={classes["figure"]}>
      {euros(locale, overview.renewal?.price_cents ?? 0)}
      <small>
        <Trans>a month, {plan} plan</Trans>
      </small>
    </p>
  );
}

function Outlook({ outlook }: { outlook: RenewalOutlook }) {
  const { t } = useLingui();
  const states: Record<RenewalOutlook, readonly [Tone, string] | null> = {
    free: null,
    not_charged_yet: null,
    covered: ["protected", t`Covered`],
    short: ["attack", t`Not covered`],
    tried: null,
    renewal_off: ["idle", t`Off`],
    balance_off: ["idle", t`Off`],
    not_active: null,
  };
  const state = states[outlook];
  return state === null ? null : <Status tone={state[0]}>{state[1]}</Status>;
}

function Forecast({ outlook, shield, overview }: RenewalPanelProps & { outlook: RenewalOutlook }) {
  const { locale } = useLocale();
  const { renewal, expires_at: expiresAt } = overview;
  const missing = renewal?.missing_cents ?? 0;
  const lacking = euros(locale, missing);
  const charged = renewal === null ? null : <Day at={renewal.charge_at} />;
  const ends = expiresAt === null ? null : <Day at={expiresAt} />;
  const texts: Record<RenewalOutlook, ReactNode> = {
    free: <Trans>This plan costs nothing: there is nothing to renew.</Trans>,
    not_charged_yet: (
      <Trans>
        Renewals are not charged yet: this shield stays protected when the month ends. Your settings
        below are kept.
      </Trans>
    ),
    covered: <Trans>The renewal is charged on {charged}. The balance covers it.</Trans>,
    short: (
      <Trans>
        The renewal is charged on {charged}. The balance is short by <strong>{lacking}</strong>.
      </Trans>
    ),
    tried: <Trans>The owner is charged on {charged}.</Trans>,
    renewal_off: <Trans>Nothing will be charged: protection ends on {ends}.</Trans>,
    balance_off: (
      <Trans>
        No card is stored and the balance is not included, so nothing can be charged: protection
        ends on {ends}.
      </Trans>
    ),
    not_active: <Trans>Nothing is charged while the shield is not active.</Trans>,
  };
  return (
    <>
      <p className={classes["outlook"]}>{texts[outlook]}</p>
      {outlook === "not_charged_yet" ? null : (
        <p className={classes["hint"]}>
          <Trans>
            Renewal tries credit cards first, then the account balance if it is included.
          </Trans>
        </p>
      )}
      {outlook === "short" && shield.role === "owner" ? (
        <Button
          className={classes["topUp"]}
          size="xs"
          onClick={() => openModal("recharge balance", { amount: topUpEuros(missing) })}
        >
          <Trans>Top up</Trans>
        </Button>
      ) : null}
    </>
  );
}
