import { Trans } from "@lingui/react/macro";
import classes from "./sandbox-badge.module.css";

/** Stands wherever a payment is not of real money. */
export function SandboxBadge() {
  return (
    <span className={classes["badge"]}>
      <Trans>Sandbox</Trans>
    </span>
  );
}
