import { Trans } from "@lingui/react/macro";
import classes from "./sandbox-badge.module.css";

/** Marks payments without real money. */
export function SandboxBadge() {
  return (
    <span className={classes["badge"]}>
      <Trans>Sandbox</Trans>
    </span>
  );
}
