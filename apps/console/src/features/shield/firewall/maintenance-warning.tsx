import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import type { Firewall } from "@palisade/contract/http/firewall";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import { useNow } from "#src/lib/use-now.ts";
import { useMayChange } from "../may-change.ts";
import { hasEnded } from "./entry-end.ts";

interface MaintenanceWarningProps {
  readonly firewall: Firewall;
  readonly onAddOwn: (ip: string) => void;
}

/** Warns if maintenance mode would also refuse the current user. */
export function MaintenanceWarning({ firewall, onAddOwn }: MaintenanceWarningProps) {
  const { caller } = firewall;
  const mayChange = useMayChange();
  const now = useNow();
  if (!firewall.whitelist_only || caller.whitelisted) return null;
  const ip = caller.ip;
  const entries = firewall.whitelist_ips.filter((entry) => !hasEnded(entry, now));
  return (
    <Banner
      tone="attack"
      live="polite"
      icon={<IconAlertTriangle size={17} stroke={1.6} />}
      aside={
        mayChange ? (
          <Button variant="default" size="compact-sm" onClick={() => onAddOwn(ip)}>
            <Trans>Add my address</Trans>
          </Button>
        ) : null
      }
    >
      {entries.length === 0 ? (
        <Trans>
          <strong>No players can join: the whitelist is empty.</strong> Your own address is{" "}
          <span className="mono">{ip}</span>.
        </Trans>
      ) : entries.some(({ kind }) => kind === "name") ? (
        <Trans>
          <strong>You cannot join unless your name is on the whitelist:</strong> your address{" "}
          <span className="mono">{ip}</span> is not on it.
        </Trans>
      ) : (
        <Trans>
          <strong>You cannot join:</strong> your address <span className="mono">{ip}</span> is not
          on the whitelist.
        </Trans>
      )}
    </Banner>
  );
}
