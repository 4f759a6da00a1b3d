import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import classes from "./shield-filter.module.css";

/** The choice is kept in the address, like the page number. */
export function ShieldFilter({ status }: { status: "deleted" | undefined }) {
  const { t } = useLingui();
  return (
    <nav className={classes["filter"]} aria-label={t`Filter servers`}>
      <Link
        to={paths.dashboard}
        search={{}}
        className={classes["choice"]}
        activeProps={{}}
        {...current(status === undefined)}
      >
        <Trans context="several servers">All</Trans>
      </Link>
      <Link
        to={paths.dashboard}
        search={{ status: "deleted" }}
        className={classes["choice"]}
        activeProps={{}}
        {...current(status === "deleted")}
      >
        <Trans context="several servers">Deleted</Trans>
      </Link>
    </nav>
  );
}

function current(isCurrent: boolean) {
  return isCurrent ? { "data-current": true, "aria-current": "true" as const } : {};
}
