import { Trans, useLingui } from "@lingui/react/macro";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { IconPlus } from "@tabler/icons-react";
import { LinkButton } from "#src/ui/link-button.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { AttackBanner } from "./attack-banner.tsx";
import { dashboardQuery, serversQuery } from "./dashboard.queries.ts";
import { DashboardStats } from "./dashboard-stats.tsx";
import { ServerGrid } from "./server-grid.tsx";

export function DashboardPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { page = 1 } = useSearch({ from: "/dashboard/" });
  const stats = useQuery(dashboardQuery);
  const servers = useQuery(serversQuery(page));
  useDocumentTitle(`${t`Dashboard`} · Palisade`);

  return (
    <>
      <PageHead
        title={<Trans>Dashboard</Trans>}
        aside={
          <LinkButton to="/dashboard/setup" leftSection={<IconPlus size={16} stroke={1.8} />}>
            <Trans>Add server</Trans>
          </LinkButton>
        }
      />
      <AttackBanner servers={servers.data?.data ?? []} />
      <DashboardStats query={stats} />
      <ServerGrid
        query={servers}
        onPage={(next) =>
          void navigate({ to: "/dashboard", search: next === 1 ? {} : { page: next } })
        }
      />
    </>
  );
}
