import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { PricingPlan } from "@palisade/contract/http/plans";
import type { Server } from "@palisade/contract/http/servers";
import { IconArrowUpRight } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { Banner } from "#src/ui/banner.tsx";
import { ChangePlanDialog } from "./change-plan-dialog.tsx";
import classes from "./plan-change.module.css";

interface UpgradeButtonProps {
  readonly shield: Server;
  /** Whether a plan includes the missing feature. */
  readonly has?: (includes: PricingPlan["includes"]) => boolean;
}

/** Opens the plans; only the owner can change the plan. */
export function UpgradeButton({ shield, has }: UpgradeButtonProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  if (shield.role !== "owner") return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<IconArrowUpRight size={14} stroke={1.8} aria-hidden="true" />}
        disabled={shield.status !== "active"}
        onClick={() => setOpen(true)}
      >
        <Trans>Upgrade plan</Trans>
      </Button>
      {isOpen ? (
        <ChangePlanDialog
          shield={shield}
          title={t`Upgrade plan`}
          has={has}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

interface UpgradeNoticeProps extends UpgradeButtonProps {
  readonly icon: ReactNode;
  readonly children: ReactNode;
}

/** A limit of the plan, with the upgrade button beside it, or below it on phones. */
export function UpgradeNotice({ icon, children, ...button }: UpgradeNoticeProps) {
  return (
    <Banner tone="neutral" icon={icon}>
      <div className={classes["notice"]}>
        <p>{children}</p>
        <UpgradeButton {...button} />
      </div>
    </Banner>
  );
}
