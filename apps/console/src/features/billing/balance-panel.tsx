import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconPlus } from "@tabler/icons-react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { euros } from "#src/lib/format.ts";
import { openModal } from "#src/lib/modals.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./billing.module.css";

export function BalancePanel() {
  const { t } = useLingui();
  const { locale } = useLocale();
  const user = useCurrentUser();
  return (
    <Panel title={t`Account balance`}>
      <div className={classes["balance"]}>
        <div>
          <div
            className={classes["figure"]}
            data-debt={(user?.balance_cents ?? 0) < 0 || undefined}
          >
            {user ? euros(locale, user.balance_cents) : <Skeleton width={120} height={32} />}
          </div>
          <p className={classes["note"]}>
            <Trans>Plans are paid from this balance</Trans>
          </p>
        </div>
        <Button
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={() => openModal("recharge balance")}
        >
          <Trans>Recharge balance</Trans>
        </Button>
      </div>
    </Panel>
  );
}
