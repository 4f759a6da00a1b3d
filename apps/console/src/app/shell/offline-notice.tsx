import { Trans } from "@lingui/react/macro";
import { useNetwork } from "@mantine/hooks";
import { IconWifiOff } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./shell.module.css";

/** Nothing is sent later, unasked: who is offline has to know it before pressing anything. */
export function OfflineNotice() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <div className={classes["offline"]}>
      <Banner
        tone="attack"
        live="polite"
        icon={<IconWifiOff size={17} stroke={1.6} aria-hidden="true" />}
      >
        <Trans>You are offline. What you typed is kept; go on when the connection is back.</Trans>
      </Banner>
    </div>
  );
}
