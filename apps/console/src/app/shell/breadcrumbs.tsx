import { Trans, useLingui } from "@lingui/react/macro";
import { Link, useLocation } from "@tanstack/react-router";
import classes from "./breadcrumbs.module.css";

/** Dashboard, then the first path segment below it. */
export function Breadcrumbs() {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const segment = pathname.split("/").filter(Boolean)[1];
  const names: Record<string, string> = {
    billing: t`Billing`,
    setup: t`Add server`,
    gameshield: t`Game Shields`,
  };
  const current = segment === undefined ? undefined : names[segment];

  return (
    <nav aria-label={t`Breadcrumbs`} className={classes["crumbs"]}>
      <ol>
        <li>
          {current === undefined ? (
            <span aria-current="page">
              <Trans>Dashboard</Trans>
            </span>
          ) : (
            <Link to="/dashboard">
              <Trans>Dashboard</Trans>
            </Link>
          )}
        </li>
        {current === undefined ? null : <li aria-current="page">{current}</li>}
      </ol>
    </nav>
  );
}
