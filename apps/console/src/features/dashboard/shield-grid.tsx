import { Trans, useLingui } from "@lingui/react/macro";
import type { serverRoutes } from "@palisade/contract/http/servers";
import type { UseQueryResult } from "@tanstack/react-query";
import { IconShieldPlus, IconTrashOff } from "@tabler/icons-react";
import type { z } from "zod";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { Pager } from "#src/ui/pager.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./dashboard.module.css";
import { DeletedCard } from "./deleted-card.tsx";
import { ShieldFilter } from "./shield-filter.tsx";
import { ShieldCard, ShieldCardSkeleton } from "./shield-card.tsx";

type ShieldListPage = z.output<typeof serverRoutes.listServers.response>;

interface ShieldGridProps {
  readonly query: UseQueryResult<ShieldListPage>;
  readonly status: "deleted" | undefined;
  readonly onPage: (page: number) => void;
}

export function ShieldGrid({ query, status, onPage }: ShieldGridProps) {
  return (
    <section className={classes["section"]} aria-labelledby="servers-title">
      <div className={classes["titles"]}>
        <h2 id="servers-title">
          <Trans>Your servers</Trans>
        </h2>
        <ShieldFilter status={status} />
      </div>
      <Content query={query} status={status} onPage={onPage} />
    </section>
  );
}

function Content({ query, status, onPage }: ShieldGridProps) {
  const { t } = useLingui();
  const isBeyond = query.data !== undefined && query.data.data.length === 0 && query.data.total > 0;
  if (query.isPending || isBeyond) {
    return (
      <ul className={classes["grid"]} aria-busy="true" aria-label={t`Loading`}>
        {[0, 1, 2, 3].map((index) => (
          <ShieldCardSkeleton key={index} />
        ))}
      </ul>
    );
  }
  if (!query.data) {
    return (
      <Panel>
        <ErrorState
          error={query.error}
          title={t`Error fetching servers`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    );
  }
  const { data: servers, current_page: page, last_page: lastPage, total } = query.data;
  if (total === 0 && status === "deleted") {
    return (
      <Panel>
        <EmptyState
          icon={<IconTrashOff size={22} stroke={1.6} />}
          title={t`No deleted servers`}
          text={<Trans>Deleted servers can be restored here for 14 days.</Trans>}
        />
      </Panel>
    );
  }
  if (total === 0) {
    return (
      <Panel>
        <EmptyState
          icon={<IconShieldPlus size={22} stroke={1.6} />}
          title={t`Nothing to display`}
          text={<Trans>You have not created any Game Shields yet.</Trans>}
          action={
            <LinkButton to={paths.setup}>
              <Trans>Create one</Trans>
            </LinkButton>
          }
        />
      </Panel>
    );
  }
  return (
    <>
      <ul className={classes["grid"]} aria-busy={query.isPlaceholderData}>
        {servers.map((server) =>
          server.status === "deleted" ? (
            <DeletedCard key={server.id} server={server} />
          ) : (
            <ShieldCard key={server.id} server={server} />
          ),
        )}
      </ul>
      <Pager page={page} lastPage={lastPage} onPage={onPage} />
    </>
  );
}
