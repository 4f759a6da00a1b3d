import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import { useState, type ReactNode } from "react";
import { wholeEuros } from "#src/lib/whole-euros.ts";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { Status, type Tone } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import { ChangePlanDialog } from "../plan-change/change-plan-dialog.tsx";
import classes from "./overview.module.css";
import { PlannedPlan } from "./planned-plan.tsx";
import { RenewNow } from "./renew-now.tsx";
import { renewalOutlook, type RenewalOutlook } from "./renewal-outlook.ts";
import { RenewalToggles } from "./renewal-toggles.tsx";

interface RenewalPanelProps {
  readonly shield: Server;
  readonly overview: ServerOverview;
}

/** The next month's price, whether it is covered, the plan's change, and the renewal switches. */
export function RenewalPanel({ shield, overview }: RenewalPanelProps) {
  const outlook = renewalOutlook(overview);
  return (
    <Panel title={<Trans>Renewal</Trans>} aside={<Outlook outlook={outlook} />}>
      <div className={classes["renewal"]}>
        <div className={classes["forecast"]}>
          <Price overview={overview} />
          <Forecast outlook={outlook} overview={overview} />
          {shield.role === "owner" ? (
            <OwnersActions outlook={outlook} shield={shield} overview={overview} />
          ) : null}
        </div>
        <RenewalToggles shield={shield} overview={overview} />
      </div>
      <div className={classes["planned"]}>
        <PlannedPlan shield={shield} overview={overview} />
      </div>
    </Panel>
  );
}

/** The price of the next period, which may be on another plan. */
function Price({ overview }: { overview: ServerOverview }) {
  const { locale } = useLocale();
  const plan = (overview.planned_plan?.plan ?? overview.pricing_plan).name;
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
    covered: ["protected", t`Covered`],
    card: ["protected", t`Covered`],
    short: ["attack", t`Not covered`],
    tried: null,
    renewal_off: ["idle", t`Off`],
    balance_off: ["idle", t`Off`],
    expired: null,
    not_active: null,
  };
  const state = states[outlook];
  return state === null ? null : <Status tone={state[0]}>{state[1]}</Status>;
}

function Forecast({ outlook, overview }: { outlook: RenewalOutlook; overview: ServerOverview }) {
  const { locale } = useLocale();
  const { renewal, expires_at: expiresAt, grace_ends_at: graceEndsAt } = overview;
  const lacking = euros(locale, renewal?.missing_cents ?? 0);
  const isDue = renewal?.is_due === true;
  const charged = renewal === null ? null : <Day at={renewal.charge_at} />;
  const end = graceEndsAt ?? expiresAt;
  const ends = end === null ? null : <Day at={end} />;
  const texts: Record<RenewalOutlook, ReactNode> = {
    free: <Trans>This plan costs nothing: there is nothing to renew.</Trans>,
    covered: isDue ? (
      <Trans>The renewal is due. The balance covers it.</Trans>
    ) : (
      <Trans>The renewal is charged on {charged}. The balance covers it.</Trans>
    ),
    card: isDue ? (
      <Trans>The renewal is due. Your saved card is charged.</Trans>
    ) : (
      <Trans>The renewal is charged to your saved card on {charged}.</Trans>
    ),
    short: isDue ? (
      <Trans>
        The renewal is due. The balance is short by <strong>{lacking}</strong>.
      </Trans>
    ) : (
      <Trans>
        The renewal is charged on {charged}. The balance is short by <strong>{lacking}</strong>.
      </Trans>
    ),
    tried: isDue ? (
      <Trans>The renewal is due. The owner is charged.</Trans>
    ) : (
      <Trans>The owner is charged on {charged}.</Trans>
    ),
    renewal_off: <Trans>Nothing will be charged: protection ends on {ends}.</Trans>,
    balance_off: (
      <Trans>
        No card is stored and the balance is not included, so nothing can be charged: protection
        ends on {ends}.
      </Trans>
    ),
    expired: <Trans>Nothing is charged until the owner renews. A new month begins then.</Trans>,
    not_active: <Trans>Nothing is charged while the shield is not active.</Trans>,
  };
  return (
    <>
      <p className={classes["outlook"]}>{texts[outlook]}</p>
      <p className={classes["hint"]}>
        <Trans>Renewal tries credit cards first, then the account balance if it is included.</Trans>
      </p>
    </>
  );
}

function OwnersActions({
  outlook,
  shield,
  overview,
}: RenewalPanelProps & { outlook: RenewalOutlook }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { renewal, status } = overview;
  const missing = renewal?.missing_cents ?? 0;
  // Unpaid and expired shields have the button in the banner at the top.
  const isDueHere = renewal?.is_due === true && status === "active";
  return (
    <>
      <div className={classes["actions"]}>
        {isDueHere && overview.grace_ends_at === null ? (
          <RenewNow shieldId={shield.id} renewal={renewal} />
        ) : null}
        {outlook === "short" || (outlook === "expired" && missing > 0) ? (
          <Button
            size="xs"
            onClick={() => openModal("recharge balance", { amount: wholeEuros(missing) })}
          >
            <Trans>Top up</Trans>
          </Button>
        ) : null}
        <Button
          size="xs"
          variant="default"
          disabled={status !== "active"}
          onClick={() => setOpen(true)}
        >
          <Trans>Change plan</Trans>
        </Button>
      </div>
      {status === "active" ? null : (
        <p className={classes["hint"]}>
          {status === "blocked" ? (
            <Trans>Upgrade impossible: the shield is blocked.</Trans>
          ) : (
            <Trans>Upgrade impossible: renew the shield first.</Trans>
          )}
        </p>
      )}
      {isOpen ? (
        <ChangePlanDialog shield={shield} title={t`Change plan`} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}
