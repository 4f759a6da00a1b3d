import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import type { PricingPlan } from "@palisade/contract/http/plans";
import type { Server } from "@palisade/contract/http/servers";
import { IconArrowUpRight } from "@tabler/icons-react";
import { useState } from "react";
import { UpgradeDialog } from "./upgrade-dialog.tsx";

interface UpgradeButtonProps {
  readonly server: Server;
  /** Whether a plan has what this one lacks. */
  readonly has: (includes: PricingPlan["includes"]) => boolean;
}

/** The way out of a limit of the plan; the plan is the owner's matter. */
export function UpgradeButton({ server, has }: UpgradeButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (server.role !== "owner") return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={<IconArrowUpRight size={14} stroke={1.8} aria-hidden="true" />}
        disabled={server.status === "blocked"}
        onClick={() => setOpen(true)}
      >
        <Trans>Upgrade plan</Trans>
      </Button>
      {isOpen ? <UpgradeDialog server={server} has={has} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
