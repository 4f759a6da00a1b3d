import { Trans, useLingui } from "@lingui/react/macro";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { IconPlugConnectedX, IconPlus } from "@tabler/icons-react";
import { useEffect } from "react";
import { paths } from "#src/lib/paths.ts";
import { Banner } from "#src/ui/banner.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { AttackBanner } from "./attack-banner.tsx";
import { dashboardQuery, shieldsQuery } from "./dashboard.queries.ts";
import { DashboardStats } from "./dashboard-stats.tsx";
import classes from "./dashboard.module.css";
import { ShieldGrid } from "./shield-grid.tsx";

export function DashboardPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { page = 1, status } = useSearch({ from: "/dashboard/" });
  const stats = useQuery(dashboardQuery);
  const servers = useQuery(shieldsQuery(page, status));
  const lastPage = servers.data?.last_page ?? page;
  // The page may no longer exist, because shields were deleted: show the last one.
  useEffect(() => {
    if (page > lastPage)
      void navigate({
        to: paths.dashboard,
        search: { ...filterOf(status), page: lastPage },
        replace: true,
      });
  }, [page, lastPage, status, navigate]);
  useDocumentTitle(`${t`Dashboard`} · Palisade`);

  return (
    <>
      <PageHead
        title={<Trans>Dashboard</Trans>}
        aside={
          <LinkButton to={paths.setup} leftSection={<IconPlus size={16} stroke={1.8} />}>
            <Trans>Add server</Trans>
          </LinkButton>
        }
      />
      <Paused when={(stats.isError && !!stats.data) || (servers.isError && !!servers.data)} />
      <AttackBanner servers={status === "deleted" ? [] : (servers.data?.data ?? [])} />
      <DashboardStats query={stats} />
      <ShieldGrid
        query={servers}
        status={status}
        onPage={(next) =>
          void navigate({
            to: paths.dashboard,
            search: { ...filterOf(status), ...(next === 1 ? {} : { page: next }) },
          })
        }
      />
    </>
  );
}

function filterOf(status: "deleted" | undefined): { status?: "deleted" } {
  return status === undefined ? {} : { status };
}

/** Says that the numbers on screen are no longer live. */
function Paused({ when }: { when: boolean }) {
  if (!when) return null;
  return (
    <div className={classes["banners"]}>
      <Banner tone="attack" live="polite" icon={<IconPlugConnectedX size={17} stroke={1.6} />}>
        <Trans>Live figures are paused because the connection was lost. Trying again.</Trans>
      </Banner>
    </div>
  );
}
