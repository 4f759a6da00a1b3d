import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { shieldQuery } from "#src/features/shield/shield.queries.ts";
import { paths } from "#src/lib/paths.ts";
import classes from "./breadcrumbs.module.css";

/** Dashboard, then the first path segment below it. A shield is shown by its name. */
export function Breadcrumbs() {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const [segment, id] = pathname.split("/").filter(Boolean).slice(1);
  const names: Record<string, string> = {
    billing: t`Billing`,
    profile: t`Profile`,
    "audit-logs": t`Audit Logs`,
    support: t`Support`,
    setup: t`Add server`,
    gameshield: t`Game Shields`,
  };
  const shield = useShieldName(segment === "gameshield" ? id : undefined);
  const current = shield ?? (segment === undefined ? undefined : names[segment]);

  return (
    <nav aria-label={t`Breadcrumbs`} className={classes["crumbs"]}>
      <ol>
        <li>
          {current === undefined ? (
            <span aria-current="page">
              <Trans>Dashboard</Trans>
            </span>
          ) : (
            <Link to={paths.dashboard}>
              <Trans>Dashboard</Trans>
            </Link>
          )}
        </li>
        {current === undefined ? null : <li aria-current="page">{current}</li>}
      </ol>
    </nav>
  );
}

/** The name that the shield's own page has loaded; sends no request itself. */
function useShieldName(id = ""): string | undefined {
  return useQuery({ ...shieldQuery(id), enabled: false }).data?.server_name;
}
