import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { PricingPlan, ServerLocation } from "@palisade/contract/http/plans";
import { useCurrentUser } from "#src/api/current-user.ts";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { useDraft } from "./draft.ts";
import classes from "./setup-aside.module.css";

interface SetupAsideProps {
  readonly plan: PricingPlan | undefined;
  readonly location: ServerLocation | undefined;
}

/** The choices so far, with price and balance always in view. */
export function SetupAside({ plan, location }: SetupAsideProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { draft } = useDraft();
  const user = useCurrentUser();
  const address = draft.real_ip.trim() === "" ? "" : `${draft.real_ip}:${draft.real_port}`;
  const rows: [string, string | undefined][] = [
    [t`Plan`, plan?.name],
    [t`Name`, draft.server_name],
    [t`Forwards to`, address],
    [t`Location`, location?.display_name],
    [t`Domain`, draft.domain],
  ];
  return (
    <Panel title={<Trans>Your GameShield</Trans>} className={classes["aside"]}>
      <dl className={`${classes["list"]} ${classes["choices"]}`}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd data-empty={value ? undefined : true}>{value || t`not set`}</dd>
          </div>
        ))}
      </dl>
      <dl className={`${classes["list"]} ${classes["money"]}`}>
        <div>
          <dt>
            <Trans>Per month</Trans>
          </dt>
          <dd>{plan ? euros(locale, plan.price_cents) : "–"}</dd>
        </div>
        <div>
          <dt>
            <Trans>Account balance</Trans>
          </dt>
          <dd>{user ? euros(locale, user.balance_cents) : "–"}</dd>
        </div>
      </dl>
      <Button
        variant="default"
        size="xs"
        className={classes["recharge"] ?? ""}
        onClick={() => openModal("recharge balance")}
      >
        <Trans>Recharge balance</Trans>
      </Button>
    </Panel>
  );
}
