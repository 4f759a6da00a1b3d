import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconCreditCard } from "@tabler/icons-react";
import { openModal } from "#src/lib/modals.ts";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./billing.module.css";

export function PaymentMethodPanel() {
  const { t } = useLingui();
  return (
    <Panel title={t`Payment methods`}>
      <div className={classes["balance"]}>
        <div className={classes["card"]}>
          <span className={classes["icon"]}>
            <IconCreditCard size={20} stroke={1.6} />
          </span>
          <div>
            <p>
              <Trans>No card saved</Trans>
            </p>
            <p className={classes["note"]}>
              <Trans>You choose how to pay at each top-up</Trans>
            </p>
          </div>
        </div>
        <Button variant="default" onClick={() => openModal("add payment method")}>
          <Trans>Add payment method</Trans>
        </Button>
      </div>
    </Panel>
  );
}
