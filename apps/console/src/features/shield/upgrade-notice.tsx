import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import type { Server } from "@palisade/contract/http/servers";
import { IconArrowUpRight } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./upgrade.module.css";
import { UpgradeDialog } from "./upgrade-dialog.tsx";

interface UpgradeButtonProps {
  readonly shield: Server;
  /** Whether a plan includes the missing feature. */
  readonly has: (includes: PricingPlan["includes"]) => boolean;
}

/** Opens the upgrade dialog; only the owner can change the plan. */
function UpgradeButton({ shield, has }: UpgradeButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (shield.role !== "owner") return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<IconArrowUpRight size={14} stroke={1.8} aria-hidden="true" />}
        disabled={shield.status === "blocked"}
        onClick={() => setOpen(true)}
      >
        <Trans>Upgrade plan</Trans>
      </Button>
      {isOpen ? <UpgradeDialog shield={shield} has={has} onClose={() => setOpen(false)} /> : null}
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
