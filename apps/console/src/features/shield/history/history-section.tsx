import { Trans, useLingui } from "@lingui/react/macro";
import type { HistoryEntry } from "@palisade/contract/http/history";
import type { Server } from "@palisade/contract/http/servers";
import { IconDownload, IconHistory } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { errorText } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { NoData } from "#src/ui/no-data.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { HistoryFilters } from "./history-filters.tsx";
import list from "#src/ui/expandable-list.module.css";
import classes from "./history.module.css";
import { historyQuery, saveHistory } from "./history.queries.ts";
import { HistoryRow } from "./history-row.tsx";
import type { Change } from "../receipt.tsx";
import { VersionDialog } from "./version-dialog.tsx";
import type { ShieldSearch } from "../shield-search.ts";

const noFilters = { area: undefined, by: undefined, days: undefined };

interface HistorySectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function HistorySection({ shield, onChange }: HistorySectionProps) {
  const { t } = useLingui();
  const { id } = shield;
  const navigate = useNavigate();
  const search = useSearch({ from: paths.shield });
  const query = useQuery(historyQuery(id, search));
  const [version, setVersion] = useState<HistoryEntry | null>(null);
  const isFiltered = [search.area, search.by, search.days].some(Boolean);

  // Changing a filter returns to the first page.
  const show = (change: Partial<ShieldSearch>, replace = false) =>
    void navigate({
      to: paths.shield,
      params: { shieldId: id, section: "history" },
      search: { ...search, page: undefined, ...change },
      replace,
    });
  const save = useMutation({
    mutationFn: () => saveHistory(id, search),
    onError: (error) => toast("error", errorText(error, t`Failed to download file`)),
  });

  return (
    <Panel
      prominent
      title={<Trans>History</Trans>}
      note={
        <Trans>
          Every change of this shield in the last year: who made it, and what was set before and
          after.
        </Trans>
      }
      aside={
        <ActionButton
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          <Trans>Export CSV</Trans>
        </ActionButton>
      }
    >
      <HistoryFilters search={search} authors={query.data?.authors ?? []} onShow={show} />
      <PagedList
        query={query}
        asked={search.page}
        errorTitle={t`Error fetching the history`}
        skeletonRows={6}
        onPage={(page, replace) => show({ page }, replace)}
        empty={
          <NoData
            icon={<IconHistory size={22} stroke={1.6} />}
            text={<Trans>Changes of this shield are listed here.</Trans>}
            filteredText={<Trans>No change matches these filters.</Trans>}
            onClear={isFiltered ? () => show(noFilters) : undefined}
          />
        }
      >
        {(rows) => (
          <ul className={`${list["list"]} ${classes["list"]}`} aria-label={t`History`}>
            {rows.map((row) => (
              <li key={row.id}>
                <HistoryRow entry={row} onCompare={() => setVersion(row)} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {version ? (
        <VersionDialog
          key={version.id}
          shield={shield}
          entry={version}
          others={(query.data?.data ?? []).filter((each) => each !== version)}
          onChange={onChange}
          onClose={() => setVersion(null)}
        />
      ) : null}
    </Panel>
  );
}
